import type { Chance } from '../environment/chance.ts'
import type { Cluster, Place } from '../environment/cluster.ts'
import type { Asked, Exchange } from '../environment/exchange.ts'
import { machine } from '../environment/machine.ts'
import { type Life, NOBODY, type Scheduler } from '../environment/scheduler.ts'
import type { Reply } from './reply.ts'
import { Span, violated } from './span.ts'
import type { ClientStream } from './client-stream.ts'
import { type Emission, WorldModel, type WorldState } from './world-model.ts'

/** Requests that are never part of a case. */
const TOLD_OTHERWISE = /^(?:GET \/_control\/(?:snapshot|worlds|streams)|DELETE \/_control\/worlds)/

/** Milliseconds after a repair during which errors are still accepted. */
const AFTERMATH = 15_000

/** The state of a run: the instances, what clients know, and their connections. */
export class Run {
  readonly cluster: Cluster
  readonly scheduler: Scheduler
  readonly worlds = new Map<string, WorldState>()
  readonly streams = new Set<ClientStream>()
  /** Emitted events of all worlds, by value. */
  readonly emissions = new Map<number, Emission>()
  found: unknown
  /** One in `loseEvery` responses is lost. With 0, no response is lost. */
  loseEvery = 0
  inFlight = 0
  /** Until this time, no audit takes place, because this seed waits for time to pass. */
  quietUntil = 0
  /** While this is true, no failures occur. */
  isAuditing = false
  readonly waiting = new Set<string>()
  /** Pending requests, and what each of them may change in a model of its world. */
  readonly asked = new Set<{
    name: string
    begin: (model: WorldModel) => void
    movesClock?: boolean
    isOver?: boolean
  }>()
  readonly remaking = new Set<WorldState>()
  readonly changing = new Set<string>()
  /** Responses for unknown records and for records of other users, by operation. */
  readonly #unknown = new Map<string, string>()
  readonly #calls = new Map<Life, Set<() => void>>()
  #ticks = 0
  #troubledUntil = -1
  readonly log: string[] = []
  readonly exchanges: Exchange[] = []
  #values = 0

  constructor(cluster: Cluster) {
    this.cluster = cluster
    this.scheduler = machine.scheduler
    this.addWorld('default', new Span({ call: 0 }, 0))
  }

  /**
   * Applies what the pending requests may change in a world with this name to one of its models. A new model also gets
   * the effects of requests whose response has arrived in the meantime.
   */
  beginIn(name: string, model: WorldModel, { isNew = false } = {}): void {
    for (const each of this.asked) if (each.name === name && (isNew || !each.isOver)) each.begin(model)
  }

  addWorld(name: string, span: Span, model = new WorldModel(name)): WorldState {
    const epoch = (this.worlds.get(name)?.epoch ?? 0) + 1
    // The caller may have sent the request to the previous world with this name.
    const isUnknown = [...this.remaking].some((each) => each.name === name)
    const known = { isUnknown, origin: undefined, isOriginUnknown: false }
    const state = { name, span, model, others: [], epoch, ...known, remadeAt: 0 }
    this.worlds.set(name, state)
    this.beginIn(name, model, { isNew: true })
    return state
  }

  tick(): number {
    return ++this.#ticks
  }

  newValue(): number {
    return ++this.#values
  }

  /** Stores an error that a check throws, because the program would otherwise catch it. */
  watch(judge: () => void): void {
    try {
      judge()
    } catch (error) {
      this.found ??= error
    }
  }

  /** Returns whether a server, connection, disk or instance is failing or has failed recently. */
  get hasProblem(): boolean {
    const { cluster, scheduler } = this
    const { disk, database, cutOff, places } = cluster
    const isFailing = disk.isFull || disk.failEvery > 0 || database.failEvery > 0 || !database.isUp
    const isPartial = cutOff.size > 0 || places.some(({ life, registry }) => !registry || life?.isPaused)
    if (isFailing || isPartial || scheduler.impatience > 0) this.problem()
    return scheduler.now <= this.#troubledUntil
  }

  problem(): void {
    this.#troubledUntil = this.scheduler.now + AFTERMATH
  }

  /** Sends a request to an instance that the seed selects. Returns undefined if no instance can be reached. */
  async send(
    chance: Chance,
    world: string,
    request: Asked,
    up: readonly Place[] = this.cluster.up,
  ): Promise<Reply | undefined> {
    if (up.length === 0) return undefined
    const { app, life } = chance.of(up)
    const call = this.tick()
    const wasTroubled = this.hasProblem
    this.inFlight++
    const waiting = `${request.method} ${request.url} at ${life!.name}`
    this.waiting.add(waiting)
    const isToBeLost = this.loseEvery > 0 && chance.once(this.loseEvery)
    const answer = await new Promise<{ status: number; text: string } | undefined>((resolve) => {
      const lose = () => this.scheduler.soon(() => resolve(undefined), NOBODY)
      const calls = this.#calls.get(life!) ?? new Set()
      this.#calls.set(life!, calls.add(lose))
      const headers = { 'x-world': world, ...request.headers }
      this.scheduler.soon(() => {
        const answered = ({ statusCode: status, payload: text }: { statusCode: number; payload: string }) => {
          calls.delete(lose)
          if (isToBeLost) return lose()
          return this.scheduler.soon(() => resolve({ status, text }), NOBODY)
        }
        app.inject({ ...request, headers }).then(answered, lose)
      }, life)
    })
    this.inFlight--
    this.waiting.delete(waiting)
    const ret = this.tick()
    const { method, url } = request
    this.scheduler.note(`${method}${url}${answer?.status}${answer?.text}`)
    this.log.push(`${call}-${ret} ${world} ${method} ${url} ${answer?.status ?? 'lost'}`)
    if (!TOLD_OTHERWISE.test(`${method} ${url}`))
      this.exchanges.push({ world, now: this.scheduler.now, request, status: 0, text: '', ...answer })
    if (!answer) return { call, ret, status: 0, text: '', isLost: true }
    const isFailure = answer.status >= 500 && !answer.text.includes('WebServiceException')
    if (isFailure && answer.text.includes('InternalServerError'))
      violated('6 no 5xx', `${method} ${url}: ${answer.text}`)
    if (isFailure && !wasTroubled && !this.hasProblem) violated('23 no failure', `${method} ${url}: ${answer.text}`)
    return { call, ret, ...answer, isLost: isFailure || answer.text.includes('UNKNOWN_ERROR') }
  }

  /** Requests to an instance that has ended get no response. */
  hangUp(life: Life): void {
    for (const lose of this.#calls.get(life) ?? []) lose()
    this.#calls.delete(life)
  }

  /** The response for a record of another user must be the same as for an unknown record, except for the request ID. */
  checkUnknown(operation: string, { status, text }: Reply): void {
    const answer = `${status} ${text.replace(/"requestId":"[^"]*"/, '')}`
    const known = this.#unknown.get(operation) ?? answer
    this.#unknown.set(operation, known)
    if (known !== answer) violated('10 foreign is unknown', `${operation}: ${known} or ${answer}`)
  }
}
