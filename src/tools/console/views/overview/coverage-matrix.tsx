import { useState } from 'preact/hooks'
import type { Coverage } from '../../../../contract/records/control/coverage.ts'
import { Field } from '../../parts/field.tsx'
import { Empty, Loading } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { type Operation, useOperations } from '../requests/operations.ts'

interface Line {
  operation: string
  described: Operation | undefined
  /** Whether each status was met. */
  cells: Map<string, boolean>
}

/** A met status links to its requests. */
export function CoverageMatrix({ part }: { part: Coverage['parts'][number] }) {
  const operations = useOperations()
  const [text, setText] = useState('')
  if (operations.length === 0) return <Loading />
  const lines = toLines(part, operations)
  const statuses = [...new Set(lines.flatMap(({ cells }) => [...cells.keys()]))].sort()
  const shown = lines.filter(({ operation, described }) =>
    `${operation} ${described?.summary} ${described?.path}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <>
      <div class="row">
        <Field label="Filter operations" grow value={text} onInput={setText} placeholder="number, name, path" />
      </div>
      {shown.length === 0 ? <Empty title="Nothing fits." /> : null}
      <div class="calendar-box" tabIndex={0} role="region" aria-label="Operations by statuses">
        <table class="matrix">
          <thead>
            <tr>
              {['Operation', ...statuses].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <Cells key={line.operation} line={line} statuses={statuses} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Cells({ line: { operation, described, cells }, statuses }: { line: Line; statuses: readonly string[] }) {
  return (
    <tr>
      <th scope="row">
        <strong>{described ? `${operation}: ${described.summary}` : operation}</strong>
        {described ? <small class="mono">{`${described.method} ${described.path}`}</small> : null}
      </th>
      {statuses.map((status) => {
        const isMet = cells.get(status)
        const about = `operation ${operation}: ${status}`
        if (isMet === undefined) return <td key={status} />
        if (!isMet) {
          return (
            <td key={status} class="missed" aria-label={`${about} was not met`}>
              –
            </td>
          )
        }
        const query = new URLSearchParams({ operation, status }).toString()
        return (
          <td key={status} class="met">
            <a href={linkTo('requests', undefined, query)} aria-label={`${about} was met: its requests`}>
              ✓
            </a>
          </td>
        )
      })}
    </tr>
  )
}

function toLines({ seen, missing }: Coverage['parts'][number], operations: readonly Operation[]): Line[] {
  const lines = new Map<string, Line>()
  const add = (what: string, isMet: boolean) => {
    const [, operation = what, status = ''] = /^(?:operation )?(.+): (\S+)$/.exec(what) ?? []
    const described = operations.find((each) => each.operation === operation)
    const line = lines.get(operation) ?? { operation, described, cells: new Map() }
    line.cells.set(status, isMet)
    lines.set(operation, line)
  }
  for (const what of seen) add(what, true)
  for (const what of missing) add(what, false)
  const order = ({ operation }: Line) => Number(operation) || 1000
  return [...lines.values()].sort((a, b) => order(a) - order(b) || (a.operation < b.operation ? -1 : 1))
}
