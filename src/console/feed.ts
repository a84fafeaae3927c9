import { keyHeader } from './address.ts'
import { ApiError, get, readRefusal, send } from './api.ts'
import { addEntries, addEvent, change, forgetEntries, type Live, setClock, touch } from './live.ts'
import type { Clock, Entry, PlatformEvent, Stream } from './types.ts'

/** Milliseconds between two tries; what the feed would have told is asked for in between. */
const RETRY = 1500
const SOON = 100

/** Follows the world for as long as the page lives. */
export async function follow(): Promise<never> {
  for (;;) {
    let wait = RETRY
    try {
      await read()
      // It ends by itself when the world was reset or restored: the new one is there already.
      wait = SOON
      change({ connection: 'polling' })
    } catch (error) {
      change(toConnection(error))
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
    await poll().catch((error: unknown) => change(toConnection(error)))
  }
}

/** Until the feed ends. It is read by `fetch`, because an EventSource could not send the key. */
async function read(): Promise<void> {
  const reply = await send('/_control/feed', { headers: keyHeader() })
  if (!reply.ok || !reply.body) throw await readRefusal(reply)
  // Another process or another world may number its entries anew.
  forgetEntries()
  change({ connection: 'live' })
  touch()
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const messages = (rest + value).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) heed(message)
  }
}

function heed(message: string): void {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(message) ?? []
  if (event === undefined || data === undefined) return
  receivers[event]?.(JSON.parse(data) as never)
  touch()
}

const receivers: Readonly<Record<string, (data: never) => void>> = {
  journal: ({ entries }: { entries: Entry[] }) => addEntries(entries),
  cleared: forgetEntries,
  clock: (clock: Clock) => setClock(clock),
  device: (event: PlatformEvent) => addEvent(event),
  streams: ({ items }: { items: Stream[] }) => change({ streams: items }),
  outbox: ({ totalCount }: { totalCount: number }) => change({ outboxCount: totalCount }),
  changed: ({ operation }: { operation: string }) => {
    if (operation === 'clearJournal') forgetEntries()
  },
}

function toConnection(error: unknown): Partial<Live> {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 403) return { connection: 'refused' }
  if (status === 404) return { connection: 'gone' }
  return { connection: status === 0 ? 'lost' : 'polling' }
}

async function poll(): Promise<void> {
  const [clock, { entries }, { items }] = await Promise.all([
    get<Clock>('clock'),
    get<{ entries: Entry[] }>('journal?limit=100'),
    get<{ items: Stream[] }>('streams'),
  ])
  setClock(clock)
  addEntries(entries)
  change({ streams: items })
  touch()
}
