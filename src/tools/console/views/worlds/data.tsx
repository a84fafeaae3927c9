import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { readAll, succeeds, useAnswer, useLoad, useAct } from '#tools/console/hooks.ts'
import { Choice, Field } from '#tools/console/parts/field.tsx'
import { List, Row } from '#tools/console/parts/list.tsx'
import { Pager } from '#tools/console/parts/pager.tsx'
import { Split, Detail } from '#tools/console/parts/split.tsx'
import { Refusal } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'
import { toLine } from '#tools/console/text.ts'
import type { Collection, Page, StoredRecord } from '#tools/console/types.ts'
import { ControlError } from '#tools/client/errors.ts'
import { Ask } from '#tools/console/parts/button.tsx'
import { JsonForm } from '#tools/console/parts/form.tsx'

const PAGE = 25
/** A search reads no further, so that a large world does not block the page. */
const MOST_SEARCHED = 2000

/** `id` is a collection, or a collection with a key. */
export function Data({ id = 'tickets' }: { id: string | undefined }) {
  const [collection = '', ...rest] = id.split(':')
  const key = rest.length > 0 ? rest.join(':') : undefined
  const { data, error } = useLoad('listCollections', {})
  const known = data?.items ?? []
  const field = known.find(({ name }) => name === collection)?.key ?? ''
  return (
    <Split
      title="Data"
      actions={
        <a class="button" href={linkTo('data', `${collection}:`)}>
          New record
        </a>
      }
      opened={
        // The key of a new record is known only after it is saved.
        key === undefined || !data ? null : (
          <RecordEditor key={id} collection={collection} field={field} recordKey={key} />
        )
      }
    >
      <Refusal error={error} />
      <Records key={collection} collection={collection} field={field} openedKey={key} known={known} />
    </Split>
  )
}

interface RecordsProps {
  collection: string
  field: string
  openedKey: string | undefined
  known: readonly Collection[]
}

function Records({ collection, field, openedKey, known }: RecordsProps) {
  const [offset, setOffset] = useState(0)
  const [text, setText] = useState('')
  const records = useAnswer(
    `${collection} ${offset} ${text}`,
    () => (text ? search(collection, text, offset) : api.records.list(collection, { limit: PAGE, offset })),
    { keep: true },
  )
  const size = known.find(({ name }) => name === collection)?.count ?? 0
  return (
    <>
      <div class="row">
        <Choice
          label="Collection"
          grow
          value={collection}
          onInput={(name) => {
            location.hash = linkTo('data', name)
          }}
          options={known.map(({ name, count }) => [name, `${name} (${count})`])}
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
      {text && size > MOST_SEARCHED ? (
        <p class="hint">Only the first {MOST_SEARCHED.toLocaleString('en-US')} records are searched.</p>
      ) : null}
      <List
        label="Records"
        kind="links"
        of={records}
        empty={text ? 'No record holds this text.' : 'This collection is empty.'}
      >
        {(record) => {
          const key = String(record[field] ?? '')
          return (
            <Row key={key} href={linkTo('data', `${collection}:${key}`)} opened={key === openedKey} class="record">
              <strong>{key}</strong>
              <span class="mono">{summarize(record)}</span>
            </Row>
          )
        }}
      </List>
      <Pager offset={offset} size={PAGE} total={records.data?.totalCount ?? 0} move={setOffset} />
    </>
  )
}

async function search(collection: string, text: string, offset: number): Promise<Page<StoredRecord>> {
  const { items } = await readAll((page) => api.records.list(collection, page), MOST_SEARCHED)
  const found = items.filter((record) => JSON.stringify(record).toLowerCase().includes(text.toLowerCase()))
  return { items: found.slice(offset, offset + PAGE), totalCount: found.length }
}

function summarize(record: StoredRecord): string {
  const plain = Object.entries(record).filter(([, value]) => typeof value !== 'object')
  return plain
    .slice(1, 7)
    .map(([name, value]) => `${name}: ${toLine(value)}`)
    .join(' · ')
}

interface EditorProps {
  collection: string
  field: string
  /** Empty for a new record. */
  recordKey: string
}

/** Unsaved texts outlive their editor, so closing it loses nothing. */
const drafts = new Map<string, string>()

function RecordEditor({ collection, field, recordKey }: EditorProps) {
  const isNew = recordKey === ''
  const about = `${collection}:${recordKey}`
  const { data, error } = useAnswer(isNew ? undefined : about, () => api.records.get(collection, recordKey))
  const [draft, setDraft] = useState(drafts.get(about))
  const act = useAct()
  const write = (text: string | undefined) => {
    if (text === undefined) drafts.delete(about)
    else drafts.set(about, text)
    setDraft(text)
  }
  // Changes do not overwrite a text that somebody is writing.
  const stored = isNew && field ? { [field]: '' } : data
  const text = draft ?? (stored ? JSON.stringify(stored, null, 2) : '')
  const save = async (value: unknown) => {
    const record = (value ?? {}) as StoredRecord
    const key = isNew ? String(record[field] ?? '') : recordKey
    // Saving a new record must not replace an existing one.
    if (isNew && (await succeeds(api.records.get(collection, key)))) {
      throw new ControlError(409, 'Conflict', `There is a record ${key} already`)
    }
    await api.records.put(collection, key, record)
    write(undefined)
    location.hash = linkTo('data', `${collection}:${key}`)
  }
  const remove = async () => {
    await api.records.delete(collection, recordKey)
    write(undefined)
    location.hash = linkTo('data', collection)
  }
  return (
    <Detail label="Record" back={linkTo('data', collection)}>
      <h2>{isNew ? `A new record of ${collection}` : recordKey}</h2>
      <Refusal error={error ?? act.error} />
      <JsonForm
        label="Record as JSON"
        class="column"
        title="JSON"
        rows={24}
        text={text}
        onInput={write}
        submit="Save"
        onSubmit={save}
        done={draft === undefined ? 'Saved' : ''}
        further={
          <>
            {draft === undefined ? null : (
              <Ask label="As it was" question="Throw away what you wrote?" onYes={() => write(undefined)} />
            )}
            {isNew ? null : (
              <Ask class="danger" label="Delete" question="Delete this record?" act={act} onYes={remove} />
            )}
            {draft === undefined ? null : <span class="hint">Not saved yet</span>}
          </>
        }
      />
    </Detail>
  )
}
