import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Detail } from '../parts/split.tsx'
import { Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import type { StoredRecord } from '../types.ts'
import { Form } from '../parts/form.tsx'
import { Ask } from '../parts/button.tsx'

interface EditorProps {
  collection: string
  /** What the collection's records are found by. */
  field: string
  /** Empty for a new one. */
  recordKey: string
}

/** A record as JSON; the server's own findings say what it may not be. */
export function RecordEditor({ collection, field, recordKey }: EditorProps) {
  const isNew = recordKey === ''
  const path = `records/${collection}/${encodeURIComponent(recordKey)}`
  const { data, error } = useLoad<StoredRecord>(isNew ? undefined : path)
  const [text, setText] = useState('')
  const [edited, setEdited] = useState(false)
  const [unreadable, setUnreadable] = useState('')
  const act = useAct()
  // What somebody is writing is not overwritten by what happens meanwhile.
  useEffect(() => {
    if (edited) return
    if (data) setText(JSON.stringify(data, null, 2))
    else if (isNew && field) setText(JSON.stringify({ [field]: '' }, null, 2))
  }, [data, edited, field])
  const save = async () => {
    setUnreadable('')
    const record = parse(text)
    if (record instanceof Error) return setUnreadable(`This is not JSON: ${record.message}`)
    const key = isNew ? String(record[field] ?? '') : recordKey
    await call('PUT', `records/${collection}/${encodeURIComponent(key)}`, record)
    setEdited(false)
    location.hash = linkTo('data', `${collection}:${key}`)
  }
  const remove = async () => {
    await call('DELETE', path)
    location.hash = linkTo('data', collection)
  }
  return (
    <Detail label="Record" back={linkTo('data', collection)}>
      <h2>{isNew ? `A new record of ${collection}` : recordKey}</h2>
      <Refusal error={error} />
      <Form label="Record as JSON" onSubmit={() => void act.run(save)}>
        <label class="field">
          <span>JSON</span>
          <textarea
            class="mono"
            rows={24}
            spellcheck={false}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setEdited(true)
            }}
          />
        </label>
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={act.busy}>
            Save
          </button>
          {isNew ? null : (
            <Ask
              class="danger"
              label="Delete"
              question="Delete this record?"
              off={act.busy}
              onYes={() => void act.run(remove)}
            />
          )}
          <span class="hint" role="status">
            {edited ? 'Not saved yet' : act.done ? 'Saved' : ''}
          </span>
        </div>
        {unreadable ? (
          <p class="refusal" role="alert">
            {unreadable}
          </p>
        ) : null}
        <Refusal error={act.error} />
      </Form>
    </Detail>
  )
}

function parse(text: string): StoredRecord | Error {
  try {
    return JSON.parse(text) as StoredRecord
  } catch (error) {
    return error as Error
  }
}
