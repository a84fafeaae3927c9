import { type FixtureWorld, toSnapshot } from '../../../contract/cases/case-origin.ts'
import type { Case } from '../../../contract/cases/case-file.ts'
import type { Snapshot } from '../../../contract/records/snapshot.ts'
import { compareOutcome, type Outcome } from '../../cases/comparison.ts'
import type { Difference } from '../../cases/structural-diff.ts'
import { kindOf } from '../../cases/view/step-view.ts'
import type { VendorCloudWorld } from '../../control-client/world.ts'
import type { CaseCall, CaseReply, CaseStep } from '../../../contract/records/control/case.ts'
import { api } from '../address.ts'
import { toRequest, withoutOrigins } from './case-request.ts'

import { Secrets } from './secrets.ts'
import { StreamReader } from './stream-reader.ts'

/** The world is deleted after so many seconds, in case the page never does. */
const LIFE = 3600

/** Only status and body are compared; `vendor-cloud replay` compares headers too. */
export class Replay {
  position = 0
  readonly differences = new Map<number, readonly Difference[]>()
  readonly #case: Case
  readonly #world: VendorCloudWorld
  readonly #secrets: Secrets
  readonly #streams = new Map<string, StreamReader>()
  /** The replay's world numbers its events differently, so ids are mapped. */
  readonly #eventIds = new Map<string, string>()
  #now: string | undefined
  readonly #leave = () => void this.close().catch(() => {})

  private constructor(file: Case, world: VendorCloudWorld, secrets: Secrets) {
    this.#case = file
    this.#world = world
    this.#secrets = secrets
    addEventListener('pagehide', this.#leave)
  }

  static async begin(file: Case): Promise<Replay> {
    const { header } = file
    const secrets = new Secrets(header.tokens)
    const { snapshot, changed, start: now } = header
    const filled = await secrets.use((known) => known.fillAll({ snapshot, changed }))
    // The world starts from the fixtures at the case's own start.
    const world = await api.world({ name: toName(header.name ?? 'case'), now, frozen: true, expiresIn: LIFE })
    const replay = new Replay(file, world, secrets)
    try {
      const origin = await toSnapshot({ ...header, ...filled }, () => readFixtures(world))
      await world.restore(JSON.stringify({ ...origin, seed: header.seed }))
      // A case holds replies as they were before variation.
      await world.variation.end()
      return replay
    } catch (error) {
      await replay.close()
      throw error
    }
  }

  async runTo(position: number): Promise<void> {
    while (this.position < Math.min(position, this.#case.steps.length)) {
      const step = this.#case.steps[this.position]!
      this.differences.set(step.step, await this.#perform(step))
      this.position++
    }
  }

  async fork(): Promise<string> {
    const name = toName(`${this.#case.header.name ?? 'case'}-${this.position}`)
    return (await this.#world.world({ name, from: this.#world.name })).name
  }

  /** The world is deleted even when the whole page is left. */
  async close(): Promise<void> {
    removeEventListener('pagehide', this.#leave)
    for (const stream of this.#streams.values()) stream.close()
    await this.#world.delete()
  }

  async #perform(step: CaseStep): Promise<Difference[]> {
    if (step.at !== this.#now) await this.#world.clock.freeze(step.at)
    this.#now = step.at
    if (kindOf(step) === 'clock') return []
    const outcome = await this.#make(step)
    const recorded = 'reply' in step ? { ...step, reply: { ...step.reply, headers: {} } } : step
    return this.#secrets.use((known) => compareOutcome(withoutOrigins(recorded), withoutOrigins(outcome), known))
  }

  async #make(step: CaseStep): Promise<Outcome> {
    if ('reply' in step) {
      const reply = await this.#send('call' in step ? step.call : step.control, step.reply)
      // Browsers hide some headers, so those count as recorded.
      return { kind: 'reply', reply: { ...reply, headers: {}, ...(step.reply.cut && { cut: true }) } }
    }
    if ('frame' in step) {
      const { subscriptionId, id } = step.frame
      const stream = this.#streams.get(subscriptionId)
      // A stream from before the recording has no reader here.
      if (!stream) return { kind: 'nothing' }
      const frame = await stream.next()
      if (id !== undefined && frame?.id !== undefined) this.#eventIds.set(id, frame.id)
      return { kind: 'frame', frame: frame && { ...step.frame, event: frame.event, data: frame.data } }
    }
    if ('mail' in step) {
      const mail = await this.#world.records.get('outbox', String(step.mail['messageId'])).catch(() => undefined)
      return { kind: 'mail', mail }
    }
    this.#streams.get(step.closed.subscriptionId)?.close()
    this.#streams.delete(step.closed.subscriptionId)
    return { kind: 'nothing' }
  }

  async #send(call: CaseCall, recorded: CaseReply): Promise<CaseReply> {
    const request = await this.#secrets.use((known) =>
      toRequest(call, (text) => this.#eventIds.get(text) ?? known.fill(text)),
    )
    try {
      const reply = (await this.#world.fetch(request.path, request.init)) as Response
      const { status, body } = reply
      const isStream = recorded.headers?.['content-type'] === 'text/event-stream' && reply.ok
      if (!isStream || !body) return { status, body: await reply.text() }
      const [, id = ''] = /^\/filters\/([^/?]+)/.exec(request.path) ?? []
      this.#streams.set(id, new StreamReader(body))
      return { status, body: '' }
    } catch {
      return {}
    }
  }
}

async function readFixtures(world: VendorCloudWorld): Promise<FixtureWorld> {
  const [text, { items }] = await Promise.all([world.snapshot(), world.records.collections()])
  const { records } = JSON.parse(text) as Snapshot
  // Only the case's settings count.
  return { records: { ...records, settings: [] }, keys: Object.fromEntries(items.map(({ name, key }) => [name, key])) }
}

function toName(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `${plain.slice(0, 50)}-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`
}
