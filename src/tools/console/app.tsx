import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, consoleOf, key, saveKey, world } from './address.ts'
import { Header } from './header.tsx'
import { change, useLive } from './live.ts'
import { Palette } from './palette.tsx'
import { Button, Docs, Refusal } from './parts/basics.tsx'
import { linkTo, type Route, useRoute } from './route.ts'
import { Billing } from './views/billing/billing.tsx'
import { Cases } from './views/cases/cases.tsx'
import { Choices } from './views/choices/choices.tsx'
import { ClockView } from './views/worlds/clock.tsx'
import { CoverageView } from './views/overview/coverage.tsx'
import { Data } from './views/worlds/data.tsx'
import { Devices } from './views/devices/devices.tsx'
import { ExaminationView } from './views/overview/examination.tsx'
import { Faults } from './views/faults/faults.tsx'
import { Mail } from './views/tickets/mail.tsx'
import { Overview } from './views/overview/overview.tsx'
import { Requests } from './views/requests/requests.tsx'
import { Scenarios } from './views/devices/scenarios.tsx'
import { StreamsView } from './views/devices/streams.tsx'
import { Tickets } from './views/tickets/tickets.tsx'
import { Tokens } from './views/worlds/tokens.tsx'
import { Wallet } from './views/wallet/wallet.tsx'
import { SnapshotView, Worlds } from './views/worlds/worlds.tsx'
import { readTheme, saveTheme, themes } from './theme.ts'
import { ControlError } from '../client/errors.ts'
import { Field, Form, Select } from './parts/form.tsx'

const groups = ['', 'What happened', 'Change something', 'World', 'Test'] as const
type Group = (typeof groups)[number]

interface View {
  name: string
  title: string
  group: Group
  /** Actions of the view, which the palette lists and finds. */
  actions?: string
  Content: FunctionComponent<Omit<Route, 'view'>>
}

const views: readonly View[] = [
  { name: 'overview', title: 'Overview', group: '', Content: Overview },
  { name: 'requests', title: 'Requests', group: 'What happened', Content: Requests },
  { name: 'streams', title: 'Streams', group: 'What happened', Content: StreamsView },
  { name: 'mail', title: 'Mail', group: 'What happened', Content: Mail },
  { name: 'clock', title: 'Clock', group: 'Change something', actions: '+1 h, +1 day, +31 days', Content: ClockView },
  { name: 'faults', title: 'Faults', group: 'Change something', Content: Faults },
  { name: 'devices', title: 'Devices', group: 'Change something', Content: Devices },
  { name: 'billing', title: 'Billing', group: 'Change something', Content: Billing },
  { name: 'tickets', title: 'Tickets', group: 'Change something', Content: Tickets },
  { name: 'tokens', title: 'Tokens', group: 'Change something', Content: Tokens },
  { name: 'wallet', title: 'Wallet', group: 'Change something', Content: Wallet },
  { name: 'data', title: 'Data', group: 'World', Content: Data },
  { name: 'snapshot', title: 'Snapshot', group: 'World', actions: 'reset, restore', Content: SnapshotView },
  { name: 'choices', title: 'Choices', group: 'World', Content: Choices },
  { name: 'scenarios', title: 'Scenarios', group: 'World', Content: Scenarios },
  { name: 'worlds', title: 'Worlds', group: 'World', Content: Worlds },
  { name: 'coverage', title: 'Coverage', group: 'Test', Content: CoverageView },
  { name: 'examination', title: 'Examination', group: 'Test', Content: ExaminationView },
  { name: 'cases', title: 'Cases', group: 'Test', Content: Cases },
]

export function App() {
  const route = useRoute()
  const connection = useLive((live) => live.connection)
  const view = views.find(({ name }) => name === route.view)
  const [isSearching, setSearching] = useState(false)
  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'}, ${world}: vendor-cloud`
  }, [view])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setSearching((isOpen) => !isOpen)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <Button class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to content
      </Button>
      <Header />
      <div class="body">
        <Navigation route={route} onSearch={() => setSearching(true)} />
        <div>
          <div class="messages">
            {connection === 'lost' ? (
              <p class="lost" role="alert">
                The server cannot be reached. The data on this page may be outdated. The page retries automatically.
              </p>
            ) : null}
            <ActionLine view={route.view} />
          </div>
          <main tabIndex={-1} key={route.view}>
            {connection === 'refused' ? (
              <KeyForm />
            ) : connection === 'gone' ? (
              <Gone />
            ) : view ? (
              <Docs.Provider value={`${api.url}/docs`}>
                <view.Content id={route.id} query={route.query} />
              </Docs.Provider>
            ) : (
              <Unknown />
            )}
          </main>
        </div>
      </div>
      {isSearching ? <Palette views={views} onClose={() => setSearching(false)} /> : null}
    </>
  )
}

function Navigation({ route, onSearch }: { route: Route; onSearch(): void }) {
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [route.view])
  return (
    <nav aria-label="Views">
      <Button class="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        Menu: {views.find(({ name }) => name === route.view)?.title ?? 'Not found'}
      </Button>
      <div class={`groups ${open ? 'open' : ''}`}>
        <Button class="go-to" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
          Go to… <small>Ctrl K</small>
        </Button>
        {groups.map((group) => (
          <Entries key={group} group={group} shown={route.view} onChoose={() => setOpen(false)} />
        ))}
        <div>
          <p class="hint">Help</p>
          <ul aria-label="Help">
            <li>
              <a href={`${api.url}/docs`}>API docs</a>
            </li>
          </ul>
          <Select aria-label="Theme" value={readTheme()} onInput={saveTheme} options={themes} />
        </div>
      </div>
    </nav>
  )
}

function Entries({ group, shown, onChoose }: { group: Group; shown: string; onChoose(): void }) {
  const counts: Readonly<Record<string, number | undefined>> = {
    mail: useLive((live) => live.outboxCount),
    streams: useLive((live) => live.streams.length),
  }
  const members = views.filter((view) => view.group === group)
  return (
    <div>
      {group === '' ? null : <p class="hint">{group}</p>}
      <ul aria-label={group || 'Start'}>
        {members.map(({ name, title }) => (
          <li key={name}>
            <a href={linkTo(name)} aria-current={shown === name ? 'page' : undefined} onClick={onChoose}>
              {title}
              {counts[name] ? <small>{counts[name]}</small> : null}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Milliseconds for which the result of an action is displayed. */
const DISPLAYED = 10_000

/** Errors are not hidden automatically, but every message ends when the user leaves the view. */
function ActionLine({ view }: { view: string }) {
  const done = useLive((live) => live.done)
  const isLive = useLive((live) => live.connection === 'live')
  useEffect(() => {
    const close = () => change({ done: undefined })
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && close()
    const timer = done?.error ? undefined : setTimeout(close, DISPLAYED)
    addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', press)
    }
  }, [done])
  useEffect(() => () => change({ done: undefined }), [view])
  useEffect(() => {
    // The server can be reached again, so the error no longer applies.
    if (isLive && done?.error?.status === 0) change({ done: undefined })
  }, [isLive])
  return (
    <div class={done && 'action-line'}>
      <Refusal error={done?.error} />
      <p role="status" aria-label="Last action">
        {done?.text}
      </p>
      {done?.href === undefined ? null : <a href={done.href}>Show</a>}
      {done ? (
        <Button aria-label="Close the message" onClick={() => change({ done: undefined })}>
          ×
        </Button>
      ) : null}
    </div>
  )
}

function Gone() {
  return (
    <section>
      <h1>There is no world {world}</h1>
      <p>
        It was deleted, it expired, or the server was restarted. This page no longer requests it. Continue in{' '}
        <a href={consoleOf('default')}>the default world</a>, or create {world} again and reload this page.
      </p>
    </section>
  )
}

function Unknown() {
  return (
    <section>
      <h1>Not found</h1>
      <p>
        The console has no view at this address. Start with the <a href={linkTo('overview')}>overview</a>.
      </p>
    </section>
  )
}

/** A server that listens on more than loopback requires its control key. Without a key, status 403 has other causes. */
function KeyForm() {
  const [text, setText] = useState('')
  const refusal = useLive((live) => live.refusal)
  if (refusal?.status === 403) {
    return (
      <section class="narrow">
        <h1>This server has no control key</h1>
        <Refusal error={refusal} />
        <p>Restart the server with CONTROL_KEY. This page then asks for the key.</p>
      </section>
    )
  }
  return (
    <section class="narrow">
      <h1>This server requires its control key</h1>
      <p>
        The key is the value of CONTROL_KEY, or part of the link that the server printed when it started. This tab
        stores the key until you close it.
      </p>
      {key === undefined ? null : (
        <p class="refusal" role="alert">
          This is not the server's key. The server may have been restarted with another one.
        </p>
      )}
      <Form
        label="Access"
        submit="Open"
        onSubmit={async () => {
          // HTTP headers cannot contain other characters.
          if (!/^[\x20-\xff]+$/.test(text)) {
            throw new ControlError(400, 'NoKey', 'A control key contains ASCII and Latin-1 characters only')
          }
          saveKey(text.trim())
          location.reload()
        }}
      >
        <Field label="Control key" type="password" grow required autofocus value={text} onInput={setText} />
      </Form>
    </section>
  )
}
