import type { FastifyBaseLogger } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Ports } from '../ports.ts'
import { Hub } from './hub.ts'

export interface HubsOptions {
  maxStreams: number
  heartbeatSeconds: number
  onNewWorld: (ports: Ports) => void
  logger?: FastifyBaseLogger | undefined
}

/** All worlds share the stream limit and the heartbeat. */
export class Hubs {
  readonly #options: HubsOptions
  readonly #byWorld = new WeakMap<Ports['bus'], Hub>()
  /** Hubs with open streams. Other hubs are garbage-collected with their worlds. */
  readonly #busy = new Set<Hub>()
  readonly #heartbeat: NodeJS.Timeout
  #opening = 0

  constructor(options: HubsOptions) {
    this.#options = options
    const beat = () => {
      for (const hub of this.#busy) hub.beat()
    }
    this.#heartbeat = setInterval(beat, options.heartbeatSeconds * 1000).unref()
  }

  of(ports: Ports): Hub {
    const known = this.#byWorld.get(ports.bus)
    if (known) return known
    const changed = (hub: Hub) => {
      if (hub.size > 0) this.#busy.add(hub)
      else this.#busy.delete(hub)
    }
    const hub = new Hub(ports, changed, this.#options.logger)
    this.#byWorld.set(ports.bus, hub)
    this.#options.onNewWorld(ports)
    return hub
  }

  /** A stream that replaces another one does not need a slot. */
  async withPlace<T>({ streams }: Ports, subscriptionId: string, open: () => Promise<T>): Promise<T> {
    if (!streams.find(subscriptionId)) this.#assertPlace()
    this.#opening++
    try {
      return await open()
    } finally {
      this.#opening--
    }
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const hub of this.#busy) hub.end()
  }

  #assertPlace(): void {
    const { maxStreams } = this.#options
    let open = this.#opening
    for (const hub of this.#busy) open += hub.size
    if (open < maxStreams) return
    const message = `all ${maxStreams} event streams that MAX_STREAMS allows are already open`
    const source = 'our choice: stream-limits'
    const found = { code: 'LimitExceeded', message, target: 'path.subscriptionId', source } as const
    throw new DomainError('too-many-requests', message, { findings: [found], source })
  }
}
