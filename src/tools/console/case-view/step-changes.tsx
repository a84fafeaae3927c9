import type { RecordChange } from '#tools/cases/view/case-view.ts'
import type { Difference } from '#tools/cases/structural-diff.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { count, shorten, toLine } from '../text.ts'

const LONGEST = 2000

interface ChangesProps {
  changes: readonly RecordChange[]
  more: number
}

export function Changes({ changes, more }: ChangesProps) {
  if (changes.length === 0 && more === 0) return null
  return (
    <section aria-label="Records">
      <h3>Records that this step changed</h3>
      <ChangeList changes={changes} />
      {more > 0 ? <p class="hint">{count(more, 'more record')}</p> : null}
    </section>
  )
}

export function ChangeList({ changes }: Pick<ChangesProps, 'changes'>) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={`${change.collection} ${change.key}`}>
          <p>
            {change.kind}{' '}
            <code>
              {change.collection} {toLinePart(change.key)}
            </code>
          </p>
          {change.record === undefined ? null : <p class="mono">{toLinePart(change.record)}</p>}
          {change.fields?.length ? (
            <dl>
              {change.fields.map(({ path, before = 'nothing', after = 'nothing' }) => (
                <div key={path}>
                  <dt>
                    <code>{toLinePart(path)}</code>
                  </dt>
                  <dd class="mono">
                    {toLinePart(before)} → {toLinePart(after)}
                  </dd>
                </div>
              ))}
            </dl>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

interface DifferencesProps {
  title: string
  differences: readonly Difference[]
  names: readonly [string, string]
}

export function Differences({ title, differences, names: [one, other] }: DifferencesProps) {
  return (
    <section class="why" aria-label="Differences">
      <h3>{toLinePart(title)}</h3>
      <ul class="findings">
        {differences.map(({ path, kind, recorded, actual }) => (
          <li key={path}>
            <p>
              <code>{toLinePart(path)}</code> ({kind})
            </p>
            <p>
              {one}: {toShort(recorded)}
            </p>
            <p>
              {other}: {toShort(actual)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function toShort(value: unknown): string {
  return toLinePart(shorten(toLine(value) ?? 'nothing', LONGEST))
}
