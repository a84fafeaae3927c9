import { useEffect, useState } from 'preact/hooks'
import { api, consoleOf, world } from '../../address.ts'
import { useAct } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Refusal } from '../../parts/state.tsx'
import { count } from '../../text.ts'
import type { Reply } from '../../types.ts'

type Diff = Reply<'diffWorlds'>

/** A past state can be continued or compared; a click on a step chooses it. */
export function RecordedMoments({ step, steps }: { step: number | undefined; steps: number }) {
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState('')
  const [other, setOther] = useState('')
  const [diff, setDiff] = useState<Diff | undefined>()
  const act = useAct()
  useEffect(() => {
    if (step !== undefined) setFrom(String(step))
  }, [step])
  const rewind = async () => location.assign(consoleOf((await api.rewind(Number(from))).name))
  const compare = async () => {
    setDiff(undefined)
    const withAt = to === '' ? {} : { withAt: to }
    setDiff(await api.diff(other === '' ? world : other, { at: from, ...withAt }))
  }
  return (
    <section class="panel" aria-label="Moments">
      <div class="row">
        <Field label="From step" type="number" value={from} onInput={setFrom} />
        <Field label="To step" type="number" value={to} onInput={setTo} placeholder={`now: ${steps}`} />
        <Field label="Of world" value={other} onInput={setOther} placeholder={world} />
        <Button class="primary" act={act} off={from === ''} onClick={rewind}>
          Rewind
        </Button>
        <Button act={act} off={from === ''} onClick={compare}>
          Compare
        </Button>
      </div>
      <p class="hint">
        Rewind opens a world that stands behind From step, its clock standing. Compare tells what changed from there to
        To step, or to now.
      </p>
      <Refusal error={act.error} />
      {diff ? <Changes diff={diff} /> : null}
    </section>
  )
}

/** Further rows are only counted. */
const MOST = 200

function Changes({ diff: { same, added, removed, changed, counts } }: { diff: Diff }) {
  const rows = [
    ...removed.map(({ collection, key, record }) => ({ what: 'removed', collection, key, fields: [toText(record)] })),
    ...added.map(({ collection, key, record }) => ({ what: 'added', collection, key, fields: [toText(record)] })),
    ...changed.map(({ collection, key, fields }) => ({
      what: 'changed',
      collection,
      key,
      fields: fields.map(({ path, before, after }) => `${path}: ${toText(before)} → ${toText(after)}`),
    })),
  ]
  const total = counts.added + counts.removed + counts.changed
  return (
    <section aria-label="Changes">
      <p role="status">{same ? 'All records are the same.' : `${count(total, 'record')} changed.`}</p>
      <ul class="findings">
        {rows.slice(0, MOST).map(({ what, collection, key, fields }) => (
          <li key={`${collection} ${key}`}>
            <p>
              <code>
                {collection} {key}
              </code>{' '}
              ({what})
            </p>
            {fields.slice(0, MOST).map((field) => (
              <p key={field}>{field}</p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

const LONGEST = 500

function toText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
