import { serverHeaders } from '#contract/files/passing-headers.ts'
import type { Outcome } from '../comparison.ts'
import { Bindings, fillShape } from '#contract/files/placeholders.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import type { CaseFrame, CaseStep, CaseHeader } from '#contract/files/case.ts'
import type { Snapshot } from '#contract/records/snapshot.ts'
import type { CaseMail, CaseServer, CaseWorld, FixtureWorld, PlayedWorld } from './case-server.ts'
import { type EventStream, fillCall, isEventStream, lacksBody } from './request.ts'

/** Milliseconds to wait for a frame, or for the server to notice a closed stream. */
const PATIENCE = 2000

export interface OtherFixtures {
  name: string
  version: string
}

interface Origin<World extends PlayedWorld> {
  header: CaseHeader
  server: CaseServer<World>
  snapshot: Snapshot
  bindings: Bindings
  /** Set if the fixtures differ from those of the case. Contains the version of vendor-cloud with the right ones. */
  otherFixtures: OtherFixtures | undefined
}

/** The player sets the clock to the time of each step, so it does not send these calls. */
export function movesClock(step: CaseStep): boolean {
  return 'control' in step && step.control.path.startsWith('/_control/clock')
}

/** This class must not depend on Node, because the console uses it in browsers. */
export class CasePlayer<World extends PlayedWorld = CaseWorld> {
  readonly bindings: Bindings
  readonly world: World
  readonly #origin: Origin<World>
  readonly #streams = new Map<string, EventStream[]>()
  readonly #mails: Set<string>

  private constructor(origin: Origin<World>, world: World, mails: Set<string>) {
    this.#origin = origin
    this.world = world
    this.#mails = mails
    this.bindings = origin.bindings.copy()
  }

  /** The player owns the server and closes it. */
  static async open<World extends PlayedWorld>(
    header: CaseHeader,
    server: CaseServer<World>,
  ): Promise<CasePlayer<World>> {
    try {
      const { sha256 } = server
      const bindings = new Bindings(header.tokens, { sha256, invent: (shape) => fillShape(shape, randomBelow) })
      const filled = { ...header, ...bindings.fillAll({ snapshot: header.snapshot, changed: header.changed }) }
      const snapshot = await server.readSnapshot(await toSnapshot(filled, server.openFixtures))
      const otherFixtures = await findOtherFixtures(header, server)
      return await CasePlayer.#begin({ header, server, bindings, snapshot, otherFixtures })
    } catch (error) {
      await server.close()
      throw error
    }
  }

  get otherFixtures(): OtherFixtures | undefined {
    return this.#origin.otherFixtures
  }

  async perform(step: CaseStep, translate: (text: string) => string = (text) => text): Promise<Outcome> {
    await this.moveTo(step.at)
    if (movesClock(step)) return { kind: 'nothing' }
    if ('reply' in step) {
      const call = 'call' in step ? step.call : step.control
      if (lacksBody(call)) return { kind: 'nothing' }
      const reply = await this.#send(call, { isControl: 'control' in step, reply: step.reply, translate })
      return { kind: 'reply', reply }
    }
    if ('frame' in step) return this.#takeFrame(translate(step.frame.subscriptionId))
    if ('closed' in step) return this.#closeStream(translate(step.closed.subscriptionId))
    return { kind: 'mail', mail: await this.#takeMail(step.mail['messageId']) }
  }

  /** When the returned promise resolves, everything that was scheduled up to the given time has run. */
  async moveTo(at: string): Promise<void> {
    await this.world.setClock(Date.parse(at))
  }

  async stand(steps: readonly CaseStep[]): Promise<void> {
    const now = clockAfter(steps)
    if (now !== undefined) await this.world.setClock(now)
  }

  takeSnapshot(): Promise<string> {
    return this.#origin.server.takeSnapshot()
  }

  /** Returns the frames and emails that belong to no step. A replay must not cause any. */
  async takeAdditional(): Promise<({ frame: CaseFrame } | { mail: Record<string, unknown> })[]> {
    if (this.#streams.size > 0) await wait(20)
    const frames = [...this.#streams].flatMap(([subscriptionId, readers]) =>
      readers.flatMap((reader) => reader.frames.takeAll().map((frame) => ({ frame: { subscriptionId, ...frame } }))),
    )
    const mails = await this.#findFreshMails()
    for (const { messageId } of mails) this.#mails.add(messageId)
    return [...frames, ...mails.map((mail) => ({ mail: { ...mail } }))]
  }

  /** Restarts the case from the first state of its world. */
  static async again<World extends PlayedWorld>(player: CasePlayer<World>): Promise<CasePlayer<World>> {
    await player.#closeStreams()
    return CasePlayer.#begin(player.#origin)
  }

  static async #begin<World extends PlayedWorld>(origin: Origin<World>): Promise<CasePlayer<World>> {
    const { header, server, snapshot } = origin
    const world = await server.restore({ ...snapshot, seed: header.seed })
    return new CasePlayer(origin, world, new Set((await world.findMails()).map(({ messageId }) => messageId)))
  }

  async close(): Promise<void> {
    await this.#closeStreams()
    await this.#origin.server.close()
  }

  async #closeStreams(): Promise<void> {
    for (const reader of [...this.#streams.values()].flat()) reader.close()
    this.#streams.clear()
  }

  async #send(
    call: HttpRequest,
    { isControl, reply, translate }: { isControl: boolean; reply: HttpResponse; translate(text: string): string },
  ): Promise<HttpResponse> {
    const headers = Object.entries(call.headers).filter(([name]) => !isControl || !serverHeaders.has(name))
    const own = { ...call, headers: Object.fromEntries(headers) }
    const filled = fillCall(own, (text) => translate(this.bindings.fill(text)))
    const { stream, ...came } = await this.#origin.server.request(filled)
    const isWanted = isEventStream(reply.headers) && call.method === 'GET'
    if (!stream || !isWanted) {
      stream?.close()
      return came
    }
    const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(filled.path) ?? []
    this.#streams.set(subscriptionId, [...(this.#streams.get(subscriptionId) ?? []), stream])
    return came
  }

  async #takeFrame(subscriptionId: string): Promise<Outcome> {
    const reader = this.#streams.get(subscriptionId)?.at(-1)
    // A stream that was opened before the start of the recording was not opened in this replay, so it has no reader.
    if (!reader) return { kind: 'nothing' }
    const frame = await reader.frames.next(PATIENCE)
    return { kind: 'frame', frame: frame && { subscriptionId, ...frame } }
  }

  async #takeMail(messageId: unknown): Promise<CaseMail | undefined> {
    const mail = (await this.world.findMail(String(messageId))) ?? (await this.#findFreshMails())[0]
    if (mail) this.#mails.add(mail.messageId)
    return mail
  }

  async #findFreshMails(): Promise<CaseMail[]> {
    return (await this.world.findMails()).filter(({ messageId }) => !this.#mails.has(messageId))
  }

  async #closeStream(subscriptionId: string): Promise<Outcome> {
    const [reader, ...newer] = this.#streams.get(subscriptionId) ?? []
    if (!reader) return { kind: 'nothing' }
    reader.close()
    if (newer.length > 0) this.#streams.set(subscriptionId, newer)
    else this.#streams.delete(subscriptionId)
    if (newer.length === 0) await this.whenLeft(subscriptionId)
    return { kind: 'nothing' }
  }

  /** Another stream can be opened only after the server notices that the client has left this one. */
  async whenLeft(subscriptionId: string): Promise<void> {
    for (let left = PATIENCE; left > 0 && this.world.hasStream(subscriptionId); left -= 5) await wait(5)
  }
}

/** Returns the time of the last request or of its latest effect, in milliseconds since the epoch. */
function clockAfter(steps: readonly CaseStep[]): number | undefined {
  const from = steps.findLastIndex((step) => 'reply' in step)
  const call = steps[from]
  const rest = steps.slice(Math.max(0, from)).map(({ at }) => Date.parse(at))
  const moved = call && 'control' in call && call.control.path.startsWith('/_control/clock') ? readNow(call) : undefined
  if (moved !== undefined) rest[0] = moved
  return rest.length === 0 ? undefined : Math.max(...rest)
}

function readNow({ reply }: Extract<CaseStep, { control: unknown }>): number | undefined {
  try {
    const { now } = JSON.parse(reply.body ?? '') as { now?: unknown }
    const at = reply.status === 200 ? Date.parse(String(now)) : Number.NaN
    return Number.isNaN(at) ? undefined : at
  } catch {
    return undefined
  }
}

async function toSnapshot(
  { start, snapshot, changed }: CaseHeader,
  open: (start: string) => Promise<FixtureWorld>,
): Promise<Record<string, unknown>> {
  if (snapshot || !changed) return snapshot ?? {}
  const { schemaVersion, clock = { frozenAt: start }, faults = [], records = {}, gone = {}, blobs = {} } = changed
  const fixtures = await open(start)
  const names = new Set([...Object.keys(fixtures.records), ...Object.keys(records)])
  const whole = [...names].map((name) => {
    const key = fixtures.keys[name] ?? ''
    const own = records[name] ?? []
    const replaced = new Set([...own.map((record) => record[key]), ...(gone[name] ?? [])])
    const left = (fixtures.records[name] ?? []).filter((record) => !replaced.has(record[key]))
    return [name, [...left, ...own]]
  })
  return { schemaVersion, clock, faults, records: Object.fromEntries(whole), blobs }
}

async function findOtherFixtures(
  { fixtures, changed, version }: CaseHeader,
  server: CaseServer<PlayedWorld>,
): Promise<OtherFixtures | undefined> {
  if (!fixtures || !changed || !server.digestOfFixtures) return undefined
  const { name, sha256 } = fixtures
  return (await server.digestOfFixtures(name)) === sha256 ? undefined : { name, version }
}

const randomBelow = (size: number) => crypto.getRandomValues(new Uint32Array(1))[0]! % size

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
