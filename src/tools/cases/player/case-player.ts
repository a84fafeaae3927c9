import { createHash, randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type Dispatcher } from 'undici'
import { UnusableCase } from '../../../contract/cases/case-file.ts'
import { toSnapshot } from '../../../contract/cases/case-origin.ts'
import { serverHeaders } from '../../../contract/cases/passing-headers.ts'
import type { Outcome } from '../comparison.ts'
import { Bindings } from '../../../contract/cases/placeholders.ts'
import { fillShape } from '../../../contract/cases/shapes.ts'
import { DEFAULT_WORLD } from '../../../contract/records/control/world.ts'
import type { CaseCall, CaseFrame, CaseReply, CaseStep } from '../../../contract/records/control/case.ts'
import { type CaseHeader, UNKNOWN_START } from '../../../contract/records/control/case-header.ts'
import { CLOCK_RANGE, isClockTime } from '../../../contract/records/control/clock.ts'
import type { Snapshot } from '../../../contract/records/snapshot.ts'
import type { Reason } from '../view/case-view.ts'
import type { KeptRecords } from '../view/changes.ts'
import { ask, isEventStream, toRequest } from './case-calls.ts'
import { clockBehind } from './case-clock.ts'
import type { CaseMail, CaseServer, CaseWorld } from './case-server.ts'
import { EventReader } from './event-reader.ts'

/** Frames come on their own; a stream that takes longer is taken as silent. */
const PATIENCE = 2000

/** Moving the clock makes all that falls due happen first. */
const LONGEST_MOVE = 30_000

export interface OtherFixtures {
  name: string
  version: string
}

interface Origin {
  header: CaseHeader
  server: CaseServer
  client: Client
  snapshot: Snapshot
  bindings: Bindings
  /** A case does not replay the same on other fixtures; this tells the version that has its own. */
  otherFixtures: OtherFixtures | undefined
}

export class CasePlayer {
  readonly bindings: Bindings
  readonly #origin: Origin
  readonly #world: CaseWorld
  readonly #streams = new Map<string, EventReader[]>()
  readonly #mails: Set<string>

  private constructor(origin: Origin, world: CaseWorld, mails: Set<string>) {
    this.#origin = origin
    this.#world = world
    this.#mails = mails
    this.bindings = origin.bindings.copy()
  }

  /** The server ends with the player. */
  static async open(header: CaseHeader, server: CaseServer): Promise<CasePlayer> {
    try {
      if (header.origin) assertBeginning(header)
      const bindings = newBindings(header)
      const filled = { ...header, ...bindings.fillAll({ snapshot: header.snapshot, changed: header.changed }) }
      const snapshot = await server.readSnapshot(await toSnapshot(filled, server.openFixtures))
      const otherFixtures = await findOtherFixtures(header, server)
      const client = new Client(server.url, { pipelining: 1, headersTimeout: 30_000, bodyTimeout: 0 })
      return await CasePlayer.#begin({ header, server, client, bindings, snapshot, otherFixtures })
    } catch (error) {
      await server.close()
      throw error
    }
  }

  get otherFixtures(): OtherFixtures | undefined {
    return this.#origin.otherFixtures
  }

  get address(): { url: string; headers: Record<string, string> } {
    const { server, header } = this.#origin
    return { url: server.url, headers: header.world === DEFAULT_WORLD ? {} : { 'x-world': header.world } }
  }

  get world(): CaseWorld {
    return this.#world
  }

  /** `translate` changes the texts of the call before it is sent. */
  async perform(step: CaseStep, translate: (text: string) => string = (text) => text): Promise<Outcome> {
    await this.#setClock(Date.parse(step.at))
    if ('control' in step && step.control.path.startsWith('/_control/clock')) return { kind: 'nothing' }
    if ('reply' in step) {
      const call = 'call' in step ? step.call : step.control
      const reply = await this.#send(call, { isControl: 'control' in step, reply: step.reply, translate })
      return { kind: 'reply', reply }
    }
    if ('frame' in step) return this.#takeFrame(translate(step.frame.subscriptionId))
    if ('closed' in step) return this.#closeStream(translate(step.closed.subscriptionId))
    return { kind: 'mail', mail: await this.#takeMail(step.mail['messageId']) }
  }

  readRecords(): Promise<KeptRecords> {
    return this.#world.readRecords()
  }

  findReason(requestId: string): Reason | undefined {
    return this.#world.findReason(requestId)
  }

  /** Everything that falls due before that instant has happened. */
  async moveTo(at: string): Promise<void> {
    await this.#setClock(Date.parse(at))
  }

  async stand(steps: readonly CaseStep[]): Promise<void> {
    const now = clockBehind(steps)
    if (now !== undefined) await this.#setClock(now)
  }

  takeSnapshot(): Promise<string> {
    return this.#origin.server.takeSnapshot()
  }

  /** A replay must cause no frame or mail that the case does not have. */
  async takeFurther(): Promise<({ frame: CaseFrame } | { mail: Record<string, unknown> })[]> {
    if (this.#streams.size > 0) await wait(20)
    const frames = [...this.#streams].flatMap(([subscriptionId, readers]) =>
      readers.flatMap((reader) => reader.frames.takeAll().map((frame) => ({ frame: { subscriptionId, ...frame } }))),
    )
    const mails = await this.#findFreshMails()
    for (const { messageId } of mails) this.#mails.add(messageId)
    return [...frames, ...mails.map((mail) => ({ mail: { ...mail } }))]
  }

  /** Another run begins with the first state of the world. */
  static async again(player: CasePlayer): Promise<CasePlayer> {
    await player.#closeStreams()
    return CasePlayer.#begin(player.#origin)
  }

  static async #begin(origin: Origin): Promise<CasePlayer> {
    const { header, server, snapshot } = origin
    const world = await server.restore({ ...snapshot, seed: header.seed })
    return new CasePlayer(origin, world, new Set((await world.findMails()).map(({ messageId }) => messageId)))
  }

  async close(): Promise<void> {
    await this.#closeStreams()
    await this.#origin.client.destroy()
    await this.#origin.server.close()
  }

  async #closeStreams(): Promise<void> {
    for (const reader of [...this.#streams.values()].flat()) reader.close()
    this.#streams.clear()
  }

  async #setClock(now: number): Promise<void> {
    const { clockControl } = this.#world
    const state = clockControl.read()
    if (state.now === now && state.frozen) return
    if (!isClockTime(now)) throw new UnusableCase(`its instant ${CLOCK_RANGE}`)
    const late = new AbortController()
    const move = clockControl.set({ now, frozen: true })
    const hasMoved = await Promise.race([move.then(() => true), wait(LONGEST_MOVE, false, { signal: late.signal })])
    late.abort()
    if (!hasMoved) throw new UnusableCase('too much falls due before it')
  }

  async #send(
    call: CaseCall,
    { isControl, reply, translate }: { isControl: boolean; reply: CaseReply; translate(text: string): string },
  ): Promise<CaseReply> {
    const own = Object.entries(call.headers).filter(([name]) => !isControl || !serverHeaders.has(name))
    const headers = { ...Object.fromEntries(own), ...worldHeader(call, this.#origin.header) }
    const fill = (text: string) => translate(this.bindings.fill(text))
    const options = toRequest({ ...call, path: (call.prefix ?? '') + call.path }, headers, fill)
    const isStream = isEventStream(reply.headers) && call.method === 'GET'
    // Our server writes UTF-8, also where a fault's content type names another charset.
    return isStream ? this.#openStream(options, call.path) : ask(this.#origin.client, options, 'utf-8')
  }

  async #openStream(options: Dispatcher.RequestOptions, path: string): Promise<CaseReply> {
    const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(options.path?.replace(/^\/w\/[^/]+/, '') ?? path) ?? []
    const reader = new EventReader(new Client(this.#origin.server.url, { bodyTimeout: 0 }))
    const reply = await reader.open(options)
    if (reply.body !== undefined) return reply
    this.#streams.set(subscriptionId, [...(this.#streams.get(subscriptionId) ?? []), reader])
    return { ...reply, body: '' }
  }

  async #takeFrame(subscriptionId: string): Promise<Outcome> {
    const reader = this.#streams.get(subscriptionId)?.at(-1)
    // A stream from before the recording has no reader here.
    if (!reader) return { kind: 'nothing' }
    const frame = await reader.frames.next(PATIENCE)
    return { kind: 'frame', frame: frame && { subscriptionId, ...frame } }
  }

  /** A mail of another id is compared with the first that no step has taken. */
  async #takeMail(messageId: unknown): Promise<CaseMail | undefined> {
    await this.#world.advanceRequests()
    const mail = (await this.#world.findMail(String(messageId))) ?? (await this.#findFreshMails())[0]
    if (mail) this.#mails.add(mail.messageId)
    return mail
  }

  async #findFreshMails(): Promise<CaseMail[]> {
    return (await this.#world.findMails()).filter(({ messageId }) => !this.#mails.has(messageId))
  }

  async #closeStream(subscriptionId: string): Promise<Outcome> {
    const [reader, ...newer] = this.#streams.get(subscriptionId) ?? []
    if (!reader) return { kind: 'nothing' }
    reader.close()
    if (newer.length > 0) this.#streams.set(subscriptionId, newer)
    else this.#streams.delete(subscriptionId)
    for (let left = PATIENCE; left > 0 && newer.length === 0 && this.#world.hasStream(subscriptionId); left -= 5) {
      await wait(5)
    }
    return { kind: 'nothing' }
  }
}

/** The clock of its world begins at its first step. */
function assertBeginning({ start }: CaseHeader): void {
  if (start === UNKNOWN_START) throw new UnusableCase('it has no steps')
  if (!isClockTime(Date.parse(start))) throw new UnusableCase(`the instant of its first step ${CLOCK_RANGE}`)
}

async function findOtherFixtures(
  { fixtures, changed, version }: CaseHeader,
  server: CaseServer,
): Promise<OtherFixtures | undefined> {
  if (!fixtures || !changed) return undefined
  const { name, sha256 } = fixtures
  return (await server.digestOfFixtures(name)) === sha256 ? undefined : { name, version }
}

function newBindings({ tokens }: CaseHeader): Bindings {
  return new Bindings(tokens, {
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    invent: (shape) => fillShape(shape, randomInt),
  })
}

/** Some calls name their world by a header and not by their path. */
function worldHeader({ prefix }: CaseCall, { world }: CaseHeader): Record<string, string> {
  return prefix === undefined && world !== DEFAULT_WORLD ? { 'x-world': world } : {}
}
