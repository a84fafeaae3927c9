import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, consoleOf, world, key, saveKey } from './address.ts'
import { Header } from './header.tsx'
import { useLive } from './live.ts'
import { Button } from './parts/button.tsx'
import { linkTo, type Route, useRoute } from './route.ts'
import { Access } from './views/worlds/access.tsx'
import { Billing } from './views/billing/billing.tsx'
import { Cases } from './views/cases/cases.tsx'
import { Choices } from './views/choices/choices.tsx'
import { ClockView } from './views/worlds/clock.tsx'
import { CoverageView } from './views/overview/coverage.tsx'
import { Data } from './views/worlds/data.tsx'
import { Devices } from './views/devices/devices.tsx'
import { ExaminationView } from './views/overview/examination.tsx'
import { Faults } from './views/faults/faults.tsx'
import { Outbox } from './views/tickets/outbox.tsx'
import { Overview } from './views/overview/overview.tsx'
import { Requests } from './views/requests/requests.tsx'
import { Scenarios } from './views/devices/scenarios.tsx'
import { Tickets } from './views/tickets/tickets.tsx'
import { Wallet } from './views/wallet/wallet.tsx'
import { Worlds } from './views/worlds/worlds.tsx'
import { ControlError } from '../client/errors.ts'
import { Field } from './parts/field.tsx'
import { Form } from './parts/form.tsx'

const groups = ['', 'Watch', 'Steer', 'Keep'] as const
type Group = (typeof groups)[number]

interface View {
  name: string
  title: string
  group: Group
  Content: FunctionComponent<Omit<Route, 'view'>>
}

const views: readonly View[] = [
  { name: 'overview', title: 'Overview', group: '', Content: Overview },
  { name: 'requests', title: 'Requests', group: 'Watch', Content: Requests },
  { name: 'outbox', title: 'Outbox', group: 'Watch', Content: Outbox },
  { name: 'tickets', title: 'Tickets', group: 'Watch', Content: Tickets },
  { name: 'coverage', title: 'Coverage', group: 'Watch', Content: CoverageView },
  { name: 'examination', title: 'Examination', group: 'Watch', Content: ExaminationView },
  { name: 'clock', title: 'Clock', group: 'Steer', Content: ClockView },
  { name: 'devices', title: 'Devices', group: 'Steer', Content: Devices },
  { name: 'scenarios', title: 'Scenarios', group: 'Steer', Content: Scenarios },
  { name: 'choices', title: 'Choices', group: 'Steer', Content: Choices },
  { name: 'faults', title: 'Faults', group: 'Steer', Content: Faults },
  { name: 'billing', title: 'Billing', group: 'Steer', Content: Billing },
  { name: 'wallet', title: 'Wallet', group: 'Steer', Content: Wallet },
  { name: 'access', title: 'Tokens', group: 'Steer', Content: Access },
  { name: 'worlds', title: 'Worlds', group: 'Keep', Content: Worlds },
  { name: 'cases', title: 'Cases', group: 'Keep', Content: Cases },
  { name: 'data', title: 'Data', group: 'Keep', Content: Data },
]

export function App() {
  const route = useRoute()
  const connection = useLive((live) => live.connection)
  const view = views.find(({ name }) => name === route.view)
  useEffect(() => {
    document.title = `${view?.title ?? 'Nothing here'}, ${world}: vendor-cloud`
  }, [view])
  return (
    <>
      <Button class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to content
      </Button>
      <Header />
      <div class="body">
        <Navigation route={route} />
        <main tabIndex={-1} key={route.view}>
          {connection === 'refused' ? (
            <KeyForm />
          ) : connection === 'gone' ? (
            <Gone />
          ) : view ? (
            <view.Content id={route.id} query={route.query} />
          ) : (
            <Unknown />
          )}
        </main>
      </div>
      {connection === 'lost' ? (
        <p class="lost" role="alert">
          The server cannot be reached. What is shown may be old; this page tries again by itself.
        </p>
      ) : null}
    </>
  )
}

/** In a narrow window the navigation folds into a button that names the current view. */
function Navigation({ route }: { route: Route }) {
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [route.view])
  return (
    <nav aria-label="Views">
      <Button class="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        Menu: {views.find(({ name }) => name === route.view)?.title ?? 'Nothing here'}
      </Button>
      <div class={`groups ${open ? 'open' : ''}`}>
        {groups.map((group) => (
          <Entries key={group} group={group} shown={route.view} onChoose={() => setOpen(false)} />
        ))}
        <ul aria-label="Elsewhere">
          <li>
            <a href={`${api.url}/docs`}>API docs</a>
          </li>
        </ul>
      </div>
    </nav>
  )
}

function Entries({ group, shown, onChoose }: { group: Group; shown: string; onChoose(): void }) {
  const mails = useLive((live) => live.outboxCount)
  const streams = useLive((live) => live.streams.length)
  const counts: Readonly<Record<string, number | undefined>> = { outbox: mails, devices: streams }
  const own = views.filter((view) => view.group === group)
  return (
    <div>
      {group === '' ? null : <p class="group">{group}</p>}
      <ul aria-label={group || 'Start'}>
        {own.map(({ name, title }) => (
          <li key={name}>
            <a href={linkTo(name)} aria-current={shown === name ? 'page' : undefined} onClick={onChoose}>
              {title}
              {counts[name] ? <span class="count">{counts[name]}</span> : null}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Gone() {
  return (
    <section>
      <h1>There is no world {world}</h1>
      <p>
        It was deleted, its time is over, or the server was started anew. There is always{' '}
        <a href={consoleOf('default')}>the default world</a>.
      </p>
    </section>
  )
}

function Unknown() {
  return (
    <section>
      <h1>Nothing here</h1>
      <p>
        This address names no view. The <a href={linkTo('overview')}>overview</a> is a good place to start.
      </p>
    </section>
  )
}

/** A server that listens beyond loopback demands its control key. */
function KeyForm() {
  const [text, setText] = useState('')
  return (
    <section class="narrow">
      <h1>This server wants its control key</h1>
      <p>
        It is what CONTROL_KEY says, or was printed with the link to this page when the server started. It is kept in
        this tab only, until you close it.
      </p>
      {key === undefined ? null : (
        <p class="refusal" role="alert">
          That is not this server's key. It may have been started anew with another one.
        </p>
      )}
      <Form
        label="Access"
        submit="Open"
        onSubmit={async () => {
          // Headers cannot carry other letters.
          if (!/^[\x20-\xff]+$/.test(text)) throw new ControlError(400, 'NoKey', 'No control key has such letters')
          saveKey(text.trim())
          location.reload()
        }}
      >
        <Field label="Control key" type="password" grow required value={text} onInput={setText} />
      </Form>
    </section>
  )
}
