import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ComparisonReport, FoundDifference, OperationDistance } from '#contract/records/control/comparison.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { Facts } from '#tools/console/parts/form.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { Badge, Empty } from '#tools/console/parts/basics.tsx'
import { count, toLine } from '#tools/console/text.ts'

export function Comparison({ report, actions }: { report: ComparisonReport; actions: ComponentChildren }) {
  const { upstream, profile, calls, left, streams, differences, distance } = report
  const [isNarrow, setNarrow] = useState(false)
  const shown = isNarrow ? differences.filter(isUnexplained) : differences
  const explained = differences.length - differences.filter(isUnexplained).length
  return (
    <Split title="A comparison" actions={actions} opened={null}>
      <section class="panel" aria-label="Comparison">
        <Facts>
          {[
            ['Upstream', toLinePart(upstream)],
            ['Profile', profile && toLinePart(profile)],
            ['Calls', String(calls)],
            ['Differences', `${differences.length}, ${explained} of them explained by a choice`],
            [
              'Skipped calls',
              `${left.writes} that write, ${left.secrets} whose secret is unknown, ${left.control} to the control API`,
            ],
            ['Streams', `${streams.compared} compared, ${streams.notCompared} not compared`],
          ]}
        </Facts>
        <label>
          <input type="checkbox" checked={isNarrow} onChange={() => setNarrow(!isNarrow)} /> Show only unexplained
          differences
        </label>
      </section>
      {differences.length === 0 ? <Empty title="Nothing differs." /> : null}
      {distance.map((each) => (
        <Operation
          key={each.operation}
          distance={each}
          differences={shown.filter(({ operation }) => operation === each.operation)}
        />
      ))}
    </Split>
  )
}

const isUnexplained = ({ value }: FoundDifference) => value === undefined

function Operation({ distance, differences }: Pick<ComparisonReport, 'differences'> & { distance: OperationDistance }) {
  const { operation, route, calls, places, kinds } = distance
  const title = toLinePart(operation === route ? route : `${operation} ${route}`)
  return (
    <section class="panel" aria-label={title}>
      <h3>{title}</h3>
      <p>
        {count(calls, 'call')}, {count(places, 'place')}{' '}
        {Object.entries(kinds ?? {}).map(([kind, each]) => (
          <Badge key={kind} tone="bad">
            {kind} {Number((Number(each?.share) * 100).toFixed(2))}%
          </Badge>
        ))}
        {Object.keys(kinds ?? {}).length === 0 ? <Badge tone="good">the same</Badge> : null}
      </p>
      {differences.length > 0 ? (
        <table>
          <thead>
            <tr>
              {['Path', 'Kind', 'vendor-cloud', 'Upstream', 'Explanation'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differences.map(({ place, kind, ours, theirs, explanation, value, known }, i) => (
              <tr key={i}>
                <td>
                  <code>{toLinePart(place)}</code>
                </td>
                <td>{toLinePart(kind)}</td>
                <td class="mono">{toText(ours)}</td>
                <td class="mono">{toText(theirs)}</td>
                <td>
                  {toLinePart(explanation)}
                  {value === undefined ? null : `, ended by ${toText(value)}`}{' '}
                  {known ? <Badge>in the baseline</Badge> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  )
}

const toText = (value: unknown): string => toLinePart(toLine(value) ?? 'nothing')
