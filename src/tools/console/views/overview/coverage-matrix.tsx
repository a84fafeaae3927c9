import { useState } from 'preact/hooks'
import type { Coverage, CoverageMiss } from '../../../../contract/records/control/coverage.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Empty, Loading } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { type Operation, useOperations } from '../requests/operations.ts'
import { HowToMeet } from './how-to-meet.tsx'

interface Line {
  operation: string
  described: Operation | undefined
  /** `true` means that the status was met. */
  cells: Map<string, CoverageMiss | true>
}

/** A met status leads to its requests, a missing one to the call that meets it. */
export function CoverageMatrix({ part }: { part: Coverage['parts'][number] }) {
  const operations = useOperations()
  const [text, setText] = useState('')
  const [opened, open] = useState<string | undefined>()
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
              <Cells key={line.operation} line={line} statuses={statuses} opened={opened} open={open} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface CellsProps {
  line: Line
  statuses: readonly string[]
  opened: string | undefined
  open(what: string | undefined): void
}

function Cells({ line: { operation, described, cells }, statuses, opened, open }: CellsProps) {
  const miss = [...cells.values()].find((cell) => cell !== true && cell.what === opened)
  return (
    <>
      <tr>
        <th scope="row">
          <strong>{described ? `${operation}: ${described.summary}` : operation}</strong>
          {described ? <small class="mono">{`${described.method} ${described.path}`}</small> : null}
        </th>
        {statuses.map((status) => {
          const cell = cells.get(status)
          const about = `operation ${operation}: ${status}`
          if (cell === undefined) return <td key={status} />
          return (
            <td key={status} class={cell === true ? 'met' : 'missed'}>
              {cell === true ? (
                <a
                  href={linkTo('requests', undefined, new URLSearchParams({ operation, status }).toString())}
                  aria-label={`${about} was met: its requests`}
                >
                  ✓
                </a>
              ) : (
                <Button
                  aria-label={`${about} was not met: how to meet it`}
                  aria-expanded={opened === cell.what}
                  onClick={() => open(opened === cell.what ? undefined : cell.what)}
                >
                  –
                </Button>
              )}
            </td>
          )
        })}
      </tr>
      {miss === undefined || miss === true ? null : (
        <tr>
          <td class="how" colSpan={statuses.length + 1}>
            {miss.needs ? <p>{miss.needs}</p> : null}
            <HowToMeet miss={miss} />
          </td>
        </tr>
      )}
    </>
  )
}

function toLines({ seen, missing }: Coverage['parts'][number], operations: readonly Operation[]): Line[] {
  const lines = new Map<string, Line>()
  const add = (what: string, cell: CoverageMiss | true) => {
    const [, operation = what, status = ''] = /^(?:operation )?(.+): (\S+)$/.exec(what) ?? []
    const described = operations.find((each) => each.operation === operation)
    const line = lines.get(operation) ?? { operation, described, cells: new Map() }
    line.cells.set(status, cell)
    lines.set(operation, line)
  }
  for (const what of seen) add(what, true)
  for (const miss of missing) add(miss.what, miss)
  const order = ({ operation }: Line) => Number(operation) || 1000
  return [...lines.values()].sort((a, b) => order(a) - order(b) || (a.operation < b.operation ? -1 : 1))
}
