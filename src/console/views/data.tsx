import { useState } from 'preact/hooks'
import { get } from '../api.ts'
import { useAnswer, useLoad } from '../hooks.ts'
import { Choice, Field } from '../parts/field.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toLine } from '../text.ts'
import type { Page, Status, StoredRecord } from '../types.ts'
import { keyOf } from './collection-keys.ts'
import { RecordEditor } from './record-editor.tsx'

const PAGE = 25
/** A search reads the collection page by page, and no further than this. */
const MOST_SEARCHED = 2000

/** Everything the world keeps, as it is. `id` is a collection, or a collection and a key. */
export function Data({ id = 'tickets' }: { id: string | undefined }) {
  const [collection = '', ...rest] = id.split(':')
  const key = rest.length > 0 ? rest.join(':') : undefined
  const status = useLoad<Status>('status')
  const counts = Object.entries(status.data?.counts ?? { [collection]: 0 })
  return (
    <section class={`split ${key === undefined ? '' : 'opened'}`}>
      <div class="list-side">
        <div class="title-row">
          <h1>Data</h1>
          <a class="button" href={linkTo('data', `${collection}:`)}>
            New record
          </a>
        </div>
        <Refusal error={status.error} />
        <Records key={collection} collection={collection} openedKey={key} counts={counts} />
      </div>
      {key === undefined ? null : <RecordEditor key={id} collection={collection} recordKey={key} />}
    </section>
  )
}

interface RecordsProps {
  collection: string
  openedKey: string | undefined
  counts: [string, number][]
}

function Records({ collection, openedKey, counts }: RecordsProps) {
  const [offset, setOffset] = useState(0)
  const [text, setText] = useState('')
  const about = `${collection} ${offset} ${text}`
  const { data, error } = useAnswer(about, () => (text ? search(collection, text, offset) : load(collection, offset)))
  return (
    <>
      <div class="row filters">
        <Choice
          label="Collection"
          grow
          value={collection}
          onChoose={(name) => {
            location.hash = linkTo('data', name)
          }}
          options={counts.map(([name, count]) => [name, `${name} (${count})`])}
        />
        <Field
          label="Search"
          grow
          value={text}
          onInput={(value) => {
            setText(value)
            setOffset(0)
          }}
          placeholder="any text"
        />
      </div>
      <Refusal error={error} />
      {!data && !error ? <Loading /> : null}
      {data?.totalCount === 0 ? (
        <Empty title={text ? 'No record holds this text.' : 'This collection is empty.'} />
      ) : null}
      <ul class="records" aria-label="Records">
        {data?.items.map((record) => {
          const key = keyOf(collection, record)
          return (
            <li key={key}>
              <a href={linkTo('data', `${collection}:${key}`)} aria-current={key === openedKey ? 'true' : undefined}>
                <strong>{key}</strong>
                <span class="mono">{summarize(record)}</span>
              </a>
            </li>
          )
        })}
      </ul>
      <Pager offset={offset} size={PAGE} total={data?.totalCount ?? 0} move={setOffset} />
    </>
  )
}

function load(collection: string, offset: number, limit = PAGE): Promise<Page<StoredRecord>> {
  return get(`records/${collection}?limit=${limit}&offset=${offset}`)
}

async function search(collection: string, text: string, offset: number): Promise<Page<StoredRecord>> {
  const found: StoredRecord[] = []
  for (let read = 0; read < MOST_SEARCHED; read += 100) {
    const { items, totalCount } = await load(collection, read, 100)
    found.push(...items.filter((record) => JSON.stringify(record).toLowerCase().includes(text.toLowerCase())))
    if (read + items.length >= totalCount) break
  }
  return { items: found.slice(offset, offset + PAGE), totalCount: found.length }
}

function summarize(record: StoredRecord): string {
  const plain = Object.entries(record).filter(([, value]) => typeof value !== 'object')
  return plain
    .slice(1, 7)
    .map(([name, value]) => `${name}: ${toLine(value)}`)
    .join('  ')
}
