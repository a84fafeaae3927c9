import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import type { StoredRecord } from '../types.ts'
import { collectionKeys, keyOf } from './collection-keys.ts'
import { Form } from '../parts/form.tsx'

/** A record as JSON; the server's own findings say what it may not be. */
export function RecordEditor({ collection, recordKey }: { collection: string; recordKey: string }) {
  const isNew = recordKey === ''
  const path = `records/${collection}/${encodeURIComponent(recordKey)}`
  const { data, error } = useLoad<StoredRecord>(isNew ? undefined : path)
  const [text, setText] = useState(isNew ? `{\n  "${collectionKeys[collection] ?? 'id'}": ""\n}` : '')
  const [edited, setEdited] = useState(false)
  const [unreadable, setUnreadable] = useState('')
  const act = useAct()
  // What somebody is writing is not overwritten by what happens meanwhile.
  useEffect(() => {
    if (data && !edited) setText(JSON.stringify(data, null, 2))
  }, [data, edited])
  const save = async () => {
    setUnreadable('')
    const record = parse(text)
    if (record instanceof Error) return setUnreadable(`This is not JSON: ${record.message}`)
    const key = isNew ? keyOf(collection, record) : recordKey
    await call('PUT', `records/${collection}/${encodeURIComponent(key)}`, record)
    setEdited(false)
    location.hash = linkTo('data', `${collection}:${key}`)
  }
  const remove = async () => {
    await call('DELETE', path)
    location.hash = linkTo('data', collection)
  }
  return (
    <article class="detail" aria-label="Record">
      <a class="close" href={linkTo('data', collection)}>
        Close
      </a>
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
          <button type="submit" class="primary" disabled={act.busy}>
            Save
          </button>
          {isNew ? null : (
            <button type="button" class="danger" disabled={act.busy} onClick={() => void act.run(remove)}>
              Delete
            </button>
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
    </article>
  )
}

function parse(text: string): StoredRecord | Error {
  try {
    return JSON.parse(text) as StoredRecord
  } catch (error) {
    return error as Error
  }
}
