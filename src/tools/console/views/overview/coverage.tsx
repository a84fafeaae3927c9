import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { loaded, useAnswer } from '#tools/console/live.ts'
import { Button, Known, Loading } from '#tools/console/parts/basics.tsx'
import { Tabs } from '#tools/console/parts/form.tsx'
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
        <Button onClick={() => setLooks(looks + 1)}>Refresh</Button>
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
          wraps
          placeholder="operation 30"
          empty="Everything is covered."
        />
      ) : null}
    </section>
  )
}

interface Line {
  operation: string
  name: string
  cells: Map<string, boolean>
}

function CoverageMatrix({ part }: { part: Coverage['parts'][number] }) {
  const operations = useOperations()
  if (operations.length === 0) return <Loading />
  const lines = toLines(part, operations)
  const statuses = [...new Set(lines.flatMap(({ cells }) => [...cells.keys()]))].sort()
  return (
    <Table
      label="Operations by statuses"
      noun="operation"
      of={loaded(lines)}
      columns={[
        { title: 'Operation', width: '45%', value: ({ name }) => name },
        ...statuses.map((title) => ({ title, width: '3rem', cell: (line: Line) => markOf(line, title) })),
      ]}
      keyOf={({ operation }) => operation}
      wraps
      placeholder="number, name, path"
    />
  )
}

function markOf({ operation, cells }: Line, status: string): ComponentChildren {
  const isCovered = cells.get(status)
  const about = `operation ${operation}: ${status}`
  const href = linkTo('requests', undefined, new URLSearchParams({ operation, status }).toString())
  if (isCovered === undefined) return null
  return isCovered ? (
    <a class="button" href={href} aria-label={`${about} was covered. Show its requests`}>
      ✓
    </a>
  ) : (
    <span role="img" aria-label={`${about} was not covered`}>
      –
    </span>
  )
}

function toLines({ seen, missing }: Coverage['parts'][number], operations: readonly Operation[]): Line[] {
  const lines = new Map<string, Line>()
  const add = (what: string, isCovered: boolean) => {
    const [, operation = what, status = ''] = /^(?:operation )?(.+): (\S+)$/.exec(what) ?? []
    const described = operations.find((each) => each.operation === operation)
    const name = described ? `${operation}: ${described.summary} (${described.method} ${described.path})` : operation
    const line = lines.get(operation) ?? { operation, name, cells: new Map() }
    line.cells.set(status, isCovered)
    lines.set(operation, line)
  }
  for (const what of seen) add(what, true)
  for (const what of missing) add(what, false)
  const order = ({ operation }: Line) => Number(operation) || 1000
  return [...lines.values()].sort((a, b) => order(a) - order(b) || (a.operation < b.operation ? -1 : 1))
}
