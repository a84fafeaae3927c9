import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { writeBody } from '#contract/charsets.ts'
import type { Case, CaseStep } from '#contract/files/case.ts'
import type { CaseServer, FixtureWorld, PlayedWorld } from '#tools/cases/player/case-server.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
import { type Snapshot, type StoredRecord, writeSnapshot } from '#contract/records/snapshot.ts'
import { compareOutcome, type Outcome } from '#tools/cases/comparison.ts'
import { CasePlayer } from '#tools/cases/player/case-player.ts'
import { readEvents, type ReceivedResponse } from '#tools/cases/player/request.ts'
import type { Difference } from '#tools/cases/structural-diff.ts'
import type { VendorCloudWorld } from '#tools/client/world.ts'
import { api, key } from '../address.ts'
import { readAll } from '../live.ts'

/** Seconds after which the server deletes the world if the page has not deleted it. */
const LIFE = 3600

/** Compares only status and body. `vendor-cloud replay` also compares headers. */
export class Replay {
  position = 0
  readonly differences = new Map<number, readonly Difference[]>()
  readonly #case: Case
  readonly #world: VendorCloudWorld
  readonly #player: CasePlayer<PlayedWorld>
  /** The world of the replay generates other event IDs, so IDs in requests are replaced. */
  readonly #eventIds = new Map<string, string>()
  readonly #leave = () => void this.close().catch(() => {})

  private constructor(file: Case, world: VendorCloudWorld, player: CasePlayer<PlayedWorld>) {
    this.#case = file
    this.#world = world
    this.#player = player
    addEventListener('pagehide', this.#leave)
  }

  static async begin(file: Case): Promise<Replay> {
    const { name = 'case', start: now } = file.header
    const world = await api.world({ name: toName(name), now, frozen: true, expiresIn: LIFE })
    return new Replay(file, world, await CasePlayer.open(file.header, toServer(world)))
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

  /** The world is deleted even if the user leaves the page. */
  async close(): Promise<void> {
    removeEventListener('pagehide', this.#leave)
    await this.#player.close()
  }

  async #perform(step: CaseStep): Promise<Difference[]> {
    const outcome = await this.#player.perform(step, (text) => this.#eventIds.get(text) ?? text)
    const [recorded, actual] = this.#align(step, outcome)
    return compareOutcome(withoutOrigins(recorded), withoutOrigins(actual), this.#player.bindings)
  }

  #align(step: CaseStep, outcome: Outcome): [CaseStep, Outcome] {
    if ('reply' in step && outcome.kind === 'reply') {
      // Browsers hide some headers, and whether a response was cut off. The comparison therefore ignores both.
      const reply = { ...outcome.reply, headers: {}, ...(step.reply.cut && { cut: true }) }
      return [
        { ...step, reply: { ...step.reply, headers: {} } },
        { kind: 'reply', reply },
      ]
    }
    if (!('frame' in step) || outcome.kind !== 'frame' || !outcome.frame) return [step, outcome]
    const { event, data, id } = outcome.frame as { event: string; data: unknown; id?: string }
    if (step.frame.id !== undefined && id !== undefined) this.#eventIds.set(step.frame.id, id)
    return [step, { kind: 'frame', frame: { ...step.frame, event, data } }]
  }
}

/** Browsers provide `crypto.subtle` only on loopback and HTTPS pages, so another SHA-256 is used. */
export const toDigest = (text: string) => bytesToHex(sha256(text))

function toServer(world: VendorCloudWorld): CaseServer<PlayedWorld> {
  return {
    request: (call) => request(world, call),
    sha256: toDigest,
    openFixtures: () => readFixtures(world),
    readSnapshot: async (value) => ({
      ...(value as typeof value & Snapshot),
      blobs: new Map(Object.entries(Object(value['blobs']) as Record<string, string>)),
    }),
    async restore(snapshot) {
      await world.restore([...writeSnapshot(snapshot)].join(''))
      // A case contains the responses as they were before variation.
      await world.variation.end()
      return toPlayed(world)
    },
    takeSnapshot: world.snapshot,
    close: () => world.delete(),
  }
}

function toPlayed(world: VendorCloudWorld): PlayedWorld {
  let known: number | undefined
  return {
    async setClock(now) {
      if (now !== known) await world.clock.freeze(new Date(now).toISOString())
      known = now
    },
    findMails: async () => {
      const { items } = await readAll((page) => world.records.list<OutboxMessage>('outbox', page))
      return items.sort((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt))
    },
    findMail: (messageId) => world.records.get<OutboxMessage>('outbox', messageId).catch(() => undefined),
    hasStream: () => false,
  }
}

async function request(
  world: VendorCloudWorld,
  { method, path, headers, body }: HttpRequest,
): Promise<ReceivedResponse> {
  const own = path.startsWith('/_control/') && key !== undefined ? { 'x-control-key': key } : {}
  const isPacked = typeof body === 'object' && 'coding' in body
  const isSent = body !== undefined && method !== 'GET' && method !== 'HEAD'
  // The path selects the world. Browsers ignore headers that scripts must not set.
  const sent = Object.entries({ ...headers, ...own })
    .filter(([name]) => name !== 'x-world' && !(isPacked && name === 'content-encoding'))
    .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]))
  try {
    const init: RequestInit = { method, headers: sent, ...(isSent && { body: writeBody(body) }) }
    const reply = (await world.fetch(path, init)) as Response
    const { status } = reply
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') && reply.body
    if (!isStream) return { status, body: await reply.text() }
    const reader = reply.body!.getReader()
    return { status, body: '', stream: readEvents(chunksOf(reader), () => void reader.cancel().catch(() => {})) }
  } catch {
    return {}
  }
}

/** In Safari, response bodies are not async iterable. */
async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}

/** Links contain the server and the world, which differ in a replay. */
function withoutOrigins<T>(value: T): T {
  const text = JSON.stringify(value).replace(/https?:\/\/[\w.:[\]-]+(\/w\/[a-z0-9-]+)?/g, '')
  return JSON.parse(text) as T
}

async function readFixtures(world: VendorCloudWorld): Promise<FixtureWorld> {
  const [text, { items }] = await Promise.all([world.snapshot(), world.records.collections()])
  const records: Record<string, StoredRecord[]> = {}
  for (const line of text.trimEnd().split('\n')) {
    const { collection, record } = JSON.parse(line) as { collection?: string; record: StoredRecord }
    if (collection === undefined) continue
    records[collection] ??= []
    records[collection].push(record)
  }
  // The settings in the case apply, and not those of the world on this page.
  return { records: { ...records, settings: [] }, keys: Object.fromEntries(items.map(({ name, key }) => [name, key])) }
}

function toName(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `${plain.slice(0, 50)}-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`
}
