import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { readAll, say, succeeds, useAnswer, useLoad, useSettled } from '#tools/console/live.ts'
import { Choice, JsonForm } from '#tools/console/parts/form.tsx'
import { Detail, Split } from '#tools/console/parts/split.tsx'
import { Ask, Refusal } from '#tools/console/parts/basics.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { linkTo } from '#tools/console/route.ts'
import { holds, nameOf, toLine } from '#tools/console/text.ts'
import type { CollectionSummary as Collection } from '#tools/client/types.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import { ControlError } from '#tools/client/errors.ts'

/** Number of records that are loaded at a time while the user scrolls. */
const PAGE = 200
/** Maximum number of records that a search reads, so that a large world does not block the page. */
const MOST_SEARCHED = 2000

/** `id` is the name of a collection, optionally followed by `:` and a key. */
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
        key === undefined || error ? null : (
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
  const [text, setText] = useState('')
  const [loaded, setLoaded] = useState(PAGE)
  const load = () => readAll((page) => api.records.list<StoredRecord>(collection, page), text ? MOST_SEARCHED : loaded)
  // A search reads all records and is slow, so it starts only after the user has stopped typing.
  const settled = useSettled(text)
  const records = useAnswer(`${collection} ${settled === '' ? loaded : ''} ${settled}`, load, { keep: true })
  const size = known.find(({ name }) => name === collection)?.count ?? 0
  const found = records.data?.items.filter((record) => holds(JSON.stringify(record), settled))
  return (
    <Table
      label="Records"
      noun="record"
      of={{
        ...records,
        data: found && { items: found, totalCount: settled ? found.length : records.data!.totalCount },
        isStale: records.isStale === true || settled !== text,
      }}
      columns={[
        { title: field || 'Key', width: '14rem', value: (record) => keyOf(record, field) },
        ...(found?.some(nameOf) ? [{ title: 'Name', width: '9rem', value: nameOf }] : []),
        { title: 'Fields', cell: (record) => <span class="mono">{summarize(record)}</span>, minor: true },
      ]}
      keyOf={(record) => keyOf(record, field)}
      hrefOf={(record) => linkTo('data', `${collection}:${keyOf(record, field)}`)}
      opened={openedKey}
      placeholder={size > MOST_SEARCHED ? `any text, in the first ${MOST_SEARCHED} records` : 'any text'}
      search={{ value: text, onInput: setText }}
      onMore={() => setLoaded((most) => most + PAGE)}
      tools={
        <Choice
          label="Collection"
          value={collection}
          onInput={(name) => {
            location.hash = linkTo('data', name)
          }}
          options={known.map(({ name, count }) => [name, `${name} (${count.toLocaleString('en-US')})`])}
        />
      }
      empty={text ? 'No record contains this text.' : 'This collection is empty.'}
    />
  )
}

function keyOf(record: StoredRecord, field: string): string {
  return String(record[field] ?? '')
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
  /** The key of the record. Empty for a new record. */
  recordKey: string
}

/** Unsaved text is kept when the editor is closed. */
const drafts = new Map<string, string>()

function RecordEditor({ collection, field, recordKey }: EditorProps) {
  const isNew = recordKey === ''
  const about = `${collection}:${recordKey}`
  const { data, error } = useAnswer(isNew ? undefined : about, () => api.records.get(collection, recordKey))
  const [draft, setDraft] = useState(drafts.get(about))
  const write = (text: string | undefined) => {
    if (text === undefined) drafts.delete(about)
    else drafts.set(about, text)
    setDraft(text)
  }
  // Changes of the record do not overwrite text that the user is editing.
  const stored = isNew && field ? { [field]: '' } : data
  const text = draft ?? (stored ? JSON.stringify(stored, null, 2) : '')
  const save = async (value: unknown) => {
    const record = (value ?? {}) as StoredRecord
    const key = isNew ? String(record[field] ?? '') : recordKey
    // Saving a new record must not replace an existing one.
    if (isNew && (await succeeds(api.records.get(collection, key)))) {
      throw new ControlError(409, 'Conflict', `Record ${key} already exists`)
    }
    await api.records.put(collection, key, record)
    write(undefined)
    say(`Saved ${key} in ${collection}`)
    location.hash = linkTo('data', `${collection}:${key}`)
  }
  const remove = async () => {
    await api.records.delete(collection, recordKey)
    write(undefined)
    location.hash = linkTo('data', collection)
  }
  return (
    <Detail label="Record" back={linkTo('data', collection)}>
      <h2>{isNew ? `New record of ${collection}` : recordKey}</h2>
      <Refusal error={error} />
      <JsonForm
        label="Record as JSON"
        class="column"
        title="JSON"
        rows={24}
        text={text}
        onInput={write}
        submit="Save record"
        onSubmit={save}
        further={
          <>
            {draft === undefined ? null : (
              <Ask
                label="Discard changes"
                question="Discard your changes?"
                done="Discarded your changes"
                onYes={() => write(undefined)}
              />
            )}
            {isNew ? null : (
              <Ask
                class="danger"
                label="Delete record"
                question="Delete this record?"
                done={`Deleted ${recordKey} from ${collection}`}
                onYes={remove}
              />
            )}
            {draft === undefined ? null : <span class="hint">Not saved yet</span>}
          </>
        }
      />
    </Detail>
  )
}
