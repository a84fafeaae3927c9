import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus, listenForClosing } from './closing.ts'
import { addEntries, addEvent, change, type Live, readLive, say, setClock, touch } from './live.ts'
import { linkTo } from './route.ts'
import { ControlError } from '../client/errors.ts'
import { api } from './address.ts'
import { readTheme, saveTheme } from './theme.ts'
import type { ClockState as Clock, StreamDescription as Stream } from '../client/types.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import type { EventEnvelope as PlatformEvent } from '#contract/records/events/platform-event.ts'

saveTheme(readTheme())
void follow()
listenForClosing()
listenForFiles()
keepFocus()
const root = document.getElementById('console')
if (root) render(<App />, root)

/** Users may drop a case file on any view, so these listeners are never removed. */
function listenForFiles(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    change({ file })
    location.hash = linkTo('cases')
  })
}

/** Milliseconds between two attempts to connect. In between, the page polls. */
const RETRY = 1500
const SOON = 100

/** Follows the world, and returns when the world no longer exists. */
async function follow(): Promise<void> {
  for (;;) {
    let wait = RETRY
    try {
      await read()
      // The feed ends when a world is reset or restored. The new world already exists.
      wait = SOON
      change({ connection: 'polling' })
    } catch (error) {
      change(toConnection(error))
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
    const failed = await poll().catch(toConnection)
    if (failed) change(failed)
    if (failed?.connection === 'gone') return
  }
}

async function read(): Promise<void> {
  let isNew = true
  for await (const message of api.watch()) {
    if (isNew) begin(message)
    isNew = false
    receivers[message.event]?.(message.data as never)
    touch()
  }
}

/** The first message contains the newest journal entries, if the journal has entries. */
function begin({ event, data }: { event: string; data: unknown }): void {
  const { connection, entries } = readLive()
  const newest = event === 'journal' ? (data as { entries: Entry[] }).entries[0]?.id : undefined
  const isRestarted = connection === 'lost' && (newest ?? 0) < (entries[0]?.id ?? 0)
  // A new process or world may use the same IDs again.
  change({ connection: 'live', entries: [] })
  if (isRestarted) say('The server was restarted. It started a new journal.')
}

const receivers: Readonly<Record<string, (data: never) => void>> = {
  journal: ({ entries }: { entries: Entry[] }) => addEntries(entries),
  cleared: () => change({ entries: [] }),
  clock: (clock: Clock) => setClock(clock),
  device: (event: PlatformEvent) => addEvent(event),
  streams: ({ items }: { items: Stream[] }) => change({ streams: items }),
  outbox: ({ totalCount }: { totalCount: number }) => change({ outboxCount: totalCount }),
  changed: ({ operation }: { operation: string }) => {
    if (operation === 'clearJournal') change({ entries: [] })
  },
}

function toConnection(error: unknown): Partial<Live> {
  const status = error instanceof ControlError ? error.status : 0
  if (status === 401 || status === 403) return { connection: 'refused', refusal: error as ControlError }
  if (status === 404) return { connection: 'gone' }
  return { connection: status === 0 ? 'lost' : 'polling' }
}

async function poll(): Promise<void> {
  const [clock, entries, { items }] = await Promise.all([
    api.clock.read(),
    api.journal({ limit: 100 }),
    api.streams.list(),
  ])
  setClock(clock)
  addEntries(entries)
  change({ streams: items })
  touch()
}
