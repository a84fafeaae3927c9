import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { loaded, useAnswer } from '#tools/console/hooks.ts'
import { Button } from '#tools/console/parts/button.tsx'
import { Field, Tabs } from '#tools/console/parts/field.tsx'
import { TableHead } from '#tools/console/parts/list.tsx'
import { Empty, Known, Loading } from '#tools/console/parts/state.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import type { Coverage } from '#contract/control/journal.ts'
import { linkTo } from '#tools/console/route.ts'
import { type Operation, useOperations } from '../requests/operations.ts'

const titles: Readonly<Record<string, string>> = {
  statuses: 'Statuses',
  parameters: 'Parameters',
  rules: 'Rules',
  events: 'Events',
  endings: 'Ends of streams',
  soapCodes: 'SOAP codes',
}

export function CoverageView() {
  const [looks, setLooks] = useState(0)
  const found = useAnswer(`coverage ${looks}`, api.coverage, { keep: true, once: true })
  const [name, setName] = useState<string>('statuses')
  const part = found.data?.parts.find((each) => each.name === name)
  return (
    <section>
      <div class="title-row">
        <h1>Coverage</h1>
        <Button onClick={() => setLooks(looks + 1)}>Look again</Button>
      </div>
      <Known of={found}>
        {({ percent, covered, total, parts }) => (
          <>
            <p class="big-time">
              <strong>{percent} %</strong> {covered} of {total} were covered since the start or the last reset.
            </p>
            <Tabs
              label="What is shown"
              value={name}
              onInput={setName}
              options={parts.map((each) => [each.name, `${titles[each.name]} ${each.covered}/${each.total}`])}
            />
          </>
        )}
      </Known>
      {part && name === 'statuses' ? (
        <CoverageMatrix part={part} />
      ) : part ? (
        <Table
          key={name}
          label="Not covered"
          noun="entry"
          of={loaded(part.missing)}
          columns={[{ title: 'Not covered', value: (what) => what }]}
          keyOf={(what) => what}
          placeholder="operation 30"
          empty={part.missing.length === 0 ? 'Everything is covered.' : 'Nothing fits.'}
        />
      ) : null}
    </section>
  )
}

interface Line {
  operation: string
  described: Operation | undefined
  /** Whether each status was covered. */
  cells: Map<string, boolean>
}

/** A covered status links to its requests. */
function CoverageMatrix({ part }: { part: Coverage['parts'][number] }) {
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
          <TableHead titles={['Operation', ...statuses]} />
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
            <td key={status} aria-label={`${about} was not covered`}>
              –
            </td>
          )
        }
        const query = new URLSearchParams({ operation, status }).toString()
        return (
          <td key={status}>
            <a href={linkTo('requests', undefined, query)} aria-label={`${about} was covered: its requests`}>
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
