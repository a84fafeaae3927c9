import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { useAnswer } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Tabs } from '../../parts/field.tsx'
import { List } from '../../parts/list.tsx'
import { Pager, usePages } from '../../parts/pager.tsx'
import { Loading, Refusal } from '../../parts/state.tsx'
import { CoverageMatrix } from './coverage-matrix.tsx'

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
  const { data, error } = useAnswer(`coverage ${looks}`, api.coverage, { keep: true, once: true })
  const [name, setName] = useState<string>('statuses')
  const part = data?.parts.find((each) => each.name === name)
  return (
    <section>
      <div class="title-row">
        <h1>Coverage</h1>
        <Button onClick={() => setLooks(looks + 1)}>Look again</Button>
      </div>
      <Refusal error={error} />
      {data ? (
        <>
          <p class="big-time">
            <strong>{data.percent} %</strong> {data.met} of {data.total} were met since the start or the last reset.
          </p>
          <Tabs
            label="What is shown"
            value={name}
            onInput={setName}
            options={data.parts.map((each) => [each.name, `${titles[each.name]} ${each.met}/${each.total}`])}
          />
        </>
      ) : error ? null : (
        <Loading />
      )}
      {part && name === 'statuses' ? (
        <CoverageMatrix part={part} />
      ) : part ? (
        <Misses key={name} missing={part.missing} />
      ) : null}
    </section>
  )
}

function Misses({ missing }: { missing: readonly string[] }) {
  const [text, setText] = useState('')
  const pages = usePages(
    missing.filter((what) => what.toLowerCase().includes(text.toLowerCase())),
    25,
  )
  return (
    <>
      <div class="row">
        <Field label="Filter what was not met" grow value={text} onInput={setText} placeholder="operation 30" />
      </div>
      <List
        label="Not met"
        kind="items"
        of={{ data: { items: pages.shown }, error: undefined }}
        empty={missing.length === 0 ? 'All of it was met.' : 'Nothing fits.'}
      >
        {(what) => (
          <li key={what} class="panel">
            <strong>{what}</strong>
          </li>
        )}
      </List>
      <Pager {...pages} />
    </>
  )
}
