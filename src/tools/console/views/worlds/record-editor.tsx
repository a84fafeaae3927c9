import { useState } from 'preact/hooks'
import { ControlError } from '../../../control-client/errors.ts'
import { api } from '../../address.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { Ask } from '../../parts/button.tsx'
import { JsonForm } from '../../parts/form.tsx'
import { Detail } from '../../parts/split.tsx'
import { Refusal } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import type { StoredRecord } from '../../types.ts'

interface EditorProps {
  collection: string
  field: string
  /** Empty for a new record. */
  recordKey: string
}

/** Unsaved texts outlive their editor, so closing it loses nothing. */
const drafts = new Map<string, string>()

export function RecordEditor({ collection, field, recordKey }: EditorProps) {
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
    if (isNew && (await isKept(collection, key))) {
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

function isKept(collection: string, key: string): Promise<boolean> {
  return api.records.get(collection, key).then(
    () => true,
    () => false,
  )
}
