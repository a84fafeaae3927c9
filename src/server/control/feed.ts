import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { feedOperations } from '#contract/control/status.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { listStreams } from '../domain/events/streams.ts'
import { HEARTBEAT } from '../http/connection/sse.ts'
import { operationOf, displayedRequestId } from '../http/request-context.ts'
import type { Ports } from '../ports.ts'
import type { JournalRecord } from '../ports/journal.ts'
import { yielding } from '../ports/yielding.ts'
import { EventConnection } from '../streams/event-connection.ts'
import { readClock } from './clock.ts'
import { type ControlContext, implementControl } from './context.ts'

/** POST operations that change nothing that the feed shows. */
const questions: readonly unknown[] = ['verifyJournal', 'checkCard', 'issueCertificate', 'speakMcp']

export function feed(app: FastifyInstance, { worlds }: ControlContext) {
  const feeds = new Set<WorldFeed>()
  const endAll = () => {
    for (const each of feeds) each.end()
  }
  app.answered.addEventListener('abort', endAll, { once: true })
  app.addHook('onResponse', async (request, reply) => {
    const { method, ports } = request
    const operation = operationOf(request)
    if (method === 'GET' || reply.statusCode >= 400 || questions.includes(operation)) return
    for (const each of feeds) each.notifyOfChange(ports.world.name, String(operation))
  })
  return implementControl(feedOperations, {
    watch: async (request, reply) => {
      const { ports } = request
      app.closing.throwIfAborted()
      const opened = new WorldFeed(ports, new EventConnection(request, reply, 'retry: 1000\n\n'))
      feeds.add(opened)
      void opened
        // The feed ends when the world is reset, restored or deleted. The client then reconnects.
        .run(() => worlds.find(ports.world.name) === ports)
        .catch((error: Error) => {
          const { world } = request.ports
          request.log.warn({ world: world.name, reqId: displayedRequestId(request), err: error }, 'a feed has ended')
        })
        .finally(() => feeds.delete(opened))
      return reply
    },
  })
}

/** Entries per message, and messages in the queue. A client that has missed entries reads the journal. */
const MOST = 200
/** Minimum interval in milliseconds between two writes of the feed. */
const SHORTEST_PAUSE = 100
const LONGEST_PAUSE = 1000
/** Number of rounds between heartbeats. A round takes up to one second. */
const HEARTBEAT_EVERY = 15

/** A slow client misses messages, so that the queue stays small. */
class WorldFeed {
  readonly #ports: Ports
  readonly #connection: EventConnection
  readonly #forget: () => void
  #over = false
  #wake = () => {}
  #told = 0
  #revision = 0
  /** IDs of requests that have no response yet. Each entry is sent when its response is complete. */
  #open: number[] = []
  #waiting: string[] = []
  /** The last value that was sent for each kind of state. An unchanged value is not sent again. */
  readonly #last = new Map<string, string>()

  constructor(ports: Ports, connection: EventConnection) {
    this.#ports = ports
    this.#connection = connection
    this.#forget = ports.bus.listen({
      onEvent: ({ envelope }) => this.#queue('device', envelope),
      onNotice: () => this.#wake(),
    })
    connection.onClose(() => this.end())
  }

  notifyOfChange(world: string, operation: string): void {
    if (world !== this.#ports.world.name) return
    if (operation === 'clearJournal') this.#told = 0
    this.#queue('changed', { operation })
  }

  /** Ends when the client disconnects, or when `isCurrent` returns false because another world now has this name. */
  async run(isCurrent: () => boolean): Promise<void> {
    try {
      for (let round = 1; !this.#over && isCurrent(); round++) {
        if (!this.#connection.isFull) await this.#tell()
        if (round % HEARTBEAT_EVERY === 0 && !this.#over) this.#connection.write(HEARTBEAT)
        await pause(SHORTEST_PAUSE)
        if (!this.#over) await Promise.race([this.#ports.journal.next(this.#revision, LONGEST_PAUSE), this.#woken()])
      }
    } finally {
      this.end()
    }
  }

  end(): void {
    if (this.#over) return
    this.#over = true
    this.#forget()
    this.#connection.end()
    this.#wake()
  }

  async #tell(): Promise<void> {
    const { offsetMs, frozen, now } = readClock(this.#ports)
    const journal = await this.#readJournal()
    const totalCount = await this.#ports.store.outbox.count()
    if (this.#over) return
    const text = [
      journal,
      // A running clock is sent only after it was moved. Otherwise it would be sent every second.
      this.#unlessTold('clock', { now, frozen, offsetMs }, String(frozen ? now : offsetMs)),
      this.#unlessTold('streams', { items: listStreams(this.#ports) }),
      this.#unlessTold('outbox', { totalCount }),
      ...this.#waiting.splice(0),
    ].join('')
    if (text) this.#connection.write(text)
  }

  async #readJournal(): Promise<string> {
    const { journal } = this.#ports
    this.#revision = journal.revision()
    const newest = journal.newest()
    const cleared = newest < this.#told ? messageOf('cleared', {}) : ''
    if (cleared) [this.#told, this.#open] = [0, []]
    const entries: JournalEntry[] = []
    let looked = 0
    const look = (id: number, record: JournalRecord) => {
      if (record.waits) this.#open.push(id)
      else entries.push(record.read(id))
    }
    for (const id of this.#open.splice(0)) {
      const record = journal.find(id)
      if (record) look(id, record)
    }
    for await (const { id, record } of yielding(journal.scan({ before: newest + 1, after: this.#told }))) {
      look(id, record)
      if (++looked === MOST) break
    }
    const skipped = newest - this.#told - looked
    this.#told = newest
    if (entries.length === 0 && skipped === 0) return cleared
    return cleared + messageOf('journal', { entries, skipped })
  }

  #unlessTold(event: string, data: unknown, standing = JSON.stringify(data)): string {
    if (this.#last.get(event) === standing) return ''
    this.#last.set(event, standing)
    return messageOf(event, data)
  }

  #queue(event: string, data: unknown): void {
    if (this.#waiting.length >= MOST) this.#waiting.shift()
    this.#waiting.push(messageOf(event, data))
    this.#wake()
  }

  #woken(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

function messageOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
