import { parseCase, writeCase } from '../../src/contract/files/case.ts'
import { diffTexts } from '../../src/tools/cases/structural-diff.ts'
import { IdMapping } from '../../src/tools/cases/id-mapping.ts'
import { DEFAULT_WORLD } from '../../src/contract/records/control/world.ts'
import { UNKNOWN_EVENT } from './actions/events.ts'
import { Cluster, type Ground, type Place } from './environment/cluster.ts'
import type { Asked, Exchange } from './environment/exchange.ts'
import { machine } from './environment/machine.ts'
import { sendOver, SimulatedSocket } from './environment/socket.ts'

/** The history of a world: its fixtures or a snapshot, and then all requests in the order of their responses. */
interface Story {
  snapshot?: Asked
  exchanges: readonly Exchange[]
}

interface Told {
  ground: Ground
  root: string
  violation: string
  exchanges: readonly Exchange[]
}

/**
 * Maximum number of scheduler steps to wait for a response. After that, the request counts as one without a response.
 */
const MOST_STEPS = 5000
const LONGEST_NAME = 200

function storyOf(exchanges: readonly Exchange[], world: string): Story {
  const fresh: Story = { exchanges: [] }
  const [stories, origins] = [new Map<string, Story>(), new Map<string, Story>()]
  for (const exchange of exchanges) {
    const { request, status } = exchange
    const { method, url, payload } = request
    const isDone = status >= 200 && status < 300
    const isCreation = url === '/_control/worlds'
    const { name = exchange.world, from = '' } = isCreation ? (payload as Record<string, string>) : {}
    const before = stories.get(name) ?? fresh
    if (isCreation) {
      if (isDone) origins.set(name, stories.get(from) ?? fresh)
      if (isDone) stories.set(name, origins.get(name)!)
    } else if (url === '/_control/reset') {
      if (isDone) stories.set(name, origins.get(name) ?? fresh)
    } else if (url !== '/_control/snapshot')
      stories.set(name, { ...before, exchanges: [...before.exchanges, exchange] })
    else if (isDone && method === 'PUT') stories.set(name, { snapshot: request, exchanges: [] })
  }
  return stories.get(world) ?? fresh
}

/**
 * A single instance without failures. Replaces the IDs that clients received in the run with the IDs of this instance.
 */
class CalmServer {
  readonly idMapping = new IdMapping()
  readonly #world: string
  readonly #scheduler = machine.begin('case')
  readonly #cluster: Cluster
  readonly #place: Place
  readonly #sockets = new Map<string, SimulatedSocket[]>()

  constructor(world: string, { ground, root }: Told) {
    this.#world = world
    this.#cluster = new Cluster(ground, 1, root)
    this.#place = this.#cluster.places[0]!
  }

  async start(): Promise<void> {
    this.#cluster.start(this.#place)
    await this.#pump(() => this.#cluster.up.length > 0)
  }

  end(): void {
    this.#cluster.end(this.#place)
  }

  async ask(request: Asked): Promise<{ status: number; text: string }> {
    let answer: { status: number; text: string } | undefined
    const answered = ({ statusCode: status, payload: text }: { statusCode: number; payload: string }) => {
      answer = { status, text }
    }
    const { app, life } = this.#place
    const headers = { 'x-world': this.#world, ...request.headers }
    this.#scheduler.soon(() => void app.inject({ ...request, headers }).then(answered), life)
    await this.#pump(() => answer !== undefined && this.#scheduler.isIdle)
    return answer ?? { status: 0, text: '' }
  }

  /** Repeats the request at the time at which it was sent, with its own request ID and the current stream position. */
  async repeat({ now, request, stream }: Exchange, id: string): Promise<{ status: number; text: string } | undefined> {
    this.#scheduler.now = Math.max(this.#scheduler.now, now)
    const { payload, ...rest } = request
    const url = this.idMapping.translate(request.url)
    const headers = { ...this.#translate(request.headers), 'x-request-id': id }
    if (!stream) {
      const body = payload !== undefined && { payload: this.#translate(payload) }
      return this.ask({ ...rest, url, headers, ...body })
    }
    const subscriptionId = this.idMapping.translate(stream.subscriptionId)
    const sockets = this.#sockets.get(subscriptionId) ?? []
    const leave = () => {
      for (const socket of sockets) socket.destroy()
    }
    const open = () => {
      const socket = new SimulatedSocket(() => {})
      this.#sockets.set(subscriptionId, [...sockets, socket])
      const told = sockets.flatMap(({ text }) => [...text.matchAll(/^id: (.*)$/gm)]).at(-1)?.[1]
      const { 'last-event-id': shown, ...others } = headers as Record<string, string>
      const lastId = shown === UNKNOWN_EVENT ? shown : shown && told
      const own = { ...others, 'x-world': this.#world, ...(lastId && { 'last-event-id': lastId }) }
      sendOver(this.#place.app, socket, url, own)
    }
    this.#scheduler.soon(stream.isLeft ? leave : open, this.#place.life)
    await this.#pump(() => this.#scheduler.isIdle)
    return undefined
  }

  #translate<T>(value: T): T {
    if (value === undefined || Buffer.isBuffer(value)) return value
    return JSON.parse(this.idMapping.translate(JSON.stringify(value))) as T
  }

  async #pump(isDone: () => boolean): Promise<void> {
    for (let steps = 0; !isDone() && steps < MOST_STEPS; steps++) await this.#scheduler.step()
  }
}

/**
 * Repeats the requests to the world in which the violation occurred, one after the other on a single instance, and
 * records them. If clients received a different response in the run, the case contains that response.
 */
export async function recordCase(told: Told): Promise<string> {
  const { ground, violation, exchanges } = told
  const world = /\b(?:in|of|world) (default|wa|wb)\b/.exec(violation)?.[1] ?? exchanges.at(-1)?.world ?? DEFAULT_WORLD
  const { snapshot, exchanges: calls } = storyOf(exchanges, world)
  const server = new CalmServer(world, told)
  const { idMapping } = server
  await server.start()
  const headers = { 'x-world': DEFAULT_WORLD }
  if (world !== DEFAULT_WORLD)
    await server.ask({ method: 'POST', url: '/_control/worlds', headers, payload: { name: world } })
  if (snapshot) await server.ask(snapshot)
  const name = `simulation on ${ground}: ${violation}`.slice(0, LONGEST_NAME)
  await server.ask({ method: 'POST', url: '/_control/recordings', payload: { name } })
  const seen = new Map<string, { status: number; body: string }>()
  for (const [i, exchange] of calls.entries()) {
    const { status, text } = exchange
    const id = `req-${i}`
    const here = await server.repeat(exchange, id)
    if (!here || status === 0) continue
    const isLast = i === calls.length - 1
    const differences = diffTexts('', text, here.text, {
      equal: idMapping.equal,
      mapIds: idMapping.mapIds,
      fieldOrder: false,
    })
    // If the run had an error response here, it is not compared. Only the last response is always compared, because it
    // is the wrong one.
    const isWrong = isLast ? here.status !== status || differences.length > 0 : here.status !== status && status < 500
    if (isWrong) seen.set(id, { status, body: idMapping.translate(text) })
  }
  const { text } = await server.ask({ method: 'GET', url: '/_control/recordings/current' })
  server.end()
  const { header, steps } = parseCase(text)
  const asSeen = steps.map((step) => {
    const call = 'call' in step ? step.call : 'control' in step ? step.control : undefined
    const answer = seen.get(String(call?.headers['x-request-id']))
    return answer && 'reply' in step ? { ...step, reply: { ...step.reply, ...answer } } : step
  })
  return writeCase({ header, steps: asSeen })
}
