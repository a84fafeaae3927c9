import type { FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api, consoleOf, world } from './address.ts'
import { Header } from './header.tsx'
import { KeyForm } from './key-form.tsx'
import { useLive } from './live.ts'
import { Button } from './parts/button.tsx'
import { linkTo, type Route, useRoute } from './route.ts'
import { Access } from './views/worlds/access.tsx'
import { Billing } from './views/billing/billing.tsx'
import { Cases } from './views/cases/cases.tsx'
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

interface View {
  name: string
  title: string
  Content: FunctionComponent<Omit<Route, 'view'>>
}

const views: readonly View[] = [
  { name: 'overview', title: 'Overview', Content: Overview },
  { name: 'requests', title: 'Requests', Content: Requests },
  { name: 'clock', title: 'Clock', Content: ClockView },
  { name: 'devices', title: 'Devices', Content: Devices },
  { name: 'outbox', title: 'Outbox', Content: Outbox },
  { name: 'billing', title: 'Billing', Content: Billing },
  { name: 'tickets', title: 'Tickets', Content: Tickets },
  { name: 'wallet', title: 'Wallet', Content: Wallet },
  { name: 'access', title: 'Tokens', Content: Access },
  { name: 'scenarios', title: 'Scenarios', Content: Scenarios },
  { name: 'faults', title: 'Faults', Content: Faults },
  { name: 'cases', title: 'Cases', Content: Cases },
  { name: 'coverage', title: 'Coverage', Content: CoverageView },
  { name: 'examination', title: 'Examination', Content: ExaminationView },
  { name: 'worlds', title: 'Worlds', Content: Worlds },
  { name: 'data', title: 'Data', Content: Data },
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

function Navigation({ route }: { route: Route }) {
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [route.view])
  const mails = useLive((live) => live.outboxCount)
  const streams = useLive((live) => live.streams.length)
  const counts: Readonly<Record<string, number | undefined>> = { outbox: mails, devices: streams }
  return (
    <nav aria-label="Views" ref={strip}>
      <ul>
        {views.map(({ name, title }) => (
          <li key={name}>
            <a href={linkTo(name)} aria-current={route.view === name ? 'page' : undefined}>
              {title}
              {counts[name] ? <span class="count">{counts[name]}</span> : null}
            </a>
          </li>
        ))}
        <li>
          <a href={`${api.url}/docs`}>API docs</a>
        </li>
      </ul>
    </nav>
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
