import { DomainError, finding, invalidInput, notFound } from '../domain/errors.ts'
import { toHex } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import type { WorldPast, Worlds } from '../ports/worlds.ts'
import { writeEnd, CASE_VERSION, type CaseHeader } from '#contract/files/case.ts'
import { DEFAULT_WORLD, type HistoryPoint } from '#contract/records/control/world.ts'
import { type Origin, type Written, writeOrigin } from './recorded-origin.ts'
import { CaseRecorder } from './recorder.ts'
import { writeWithoutSecrets } from './secrets.ts'

/** A recording refers only to the recorded data. The world itself can be garbage-collected when it has ended. */
export interface Recording {
  known: Pick<Ports, 'digests' | 'published'>
  recorder: CaseRecorder
  about: Omit<CaseHeader, 'tokens' | keyof Written>
  /** Written only on demand, because the origin of most recordings is never read. */
  origin: Origin
}

/** The recordings of this instance. A world has at most one recording, which is removed when the recording ends. */
export class StoredRecordings {
  readonly #byWorld = new WeakMap<Ports, Recording>()
  readonly #worlds: Worlds

  constructor(worlds: Worlds) {
    this.#worlds = worlds
    worlds.onOpen((ports, before) => {
      const running = before && this.#byWorld.get(before)
      if (!running) return
      running.recorder.stop('the world was reset or restored')
      this.#byWorld.set(ports, running)
    })
  }

  async begin(ports: Ports, about: { version: string; name: string | undefined }): Promise<Recording> {
    const recording = await beginRecording(this.#worlds, ports, about)
    this.#byWorld.set(ports, recording)
    return recording
  }

  has(ports: Ports): boolean {
    return this.#byWorld.has(ports)
  }

  require(ports: Ports): Recording {
    const recording = this.#byWorld.get(ports)
    if (!recording) throw notFound('this world is not being recorded', 'our choice: control-refusals')
    return recording
  }

  end(ports: Ports): void {
    this.require(ports).recorder.stop()
    this.#byWorld.delete(ports)
  }

  /** `target` is the field of the request that an error names. */
  readPast(ports: Ports, moment: { at: HistoryPoint; target: string }): Promise<WorldPast & { step: number }> {
    const recording = this.#byWorld.get(ports)
    if (recording) return readPast(recording, ports, moment)
    const { name } = ports.world
    const others = this.#worlds.list().filter((each) => this.#byWorld.has(this.#worlds.find(each.name) ?? ports))
    const known = others.map((each) => each.name).slice(0, 20)
    const also = known.length > 0 ? `. Recorded worlds: ${known.join(', ')}` : ''
    const path = `${name === DEFAULT_WORLD ? '' : `/w/${name}`}/_control/recordings`
    throw new DomainError(
      'conflict',
      `world ${name} has no recording to read earlier states from; POST ${path} starts one${also}`,
      { source: 'our choice: control-refusals' },
    )
  }
}

async function beginRecording(
  worlds: Worlds,
  ports: Ports,
  { version, name }: { version: string; name?: string | undefined },
): Promise<Recording> {
  assertNotRecorded(ports)
  const seed = toHex(await ports.random.bytes('recording', 16))
  // Two recordings may have started in parallel. The second one is rejected here.
  assertNotRecorded(ports)
  const recorder = new CaseRecorder(ports, seed)
  try {
    return await recorder.alone(async () => {
      const about = {
        case: CASE_VERSION as typeof CASE_VERSION,
        version,
        ...(name !== undefined && { name }),
        world: ports.world.name,
        ...(ports.world.profile && { profile: ports.world.profile.profile }),
        ...(ports.world.publicUrl !== undefined && { publicUrl: ports.world.publicUrl }),
        seed,
        head: ports.bus.head(),
      }
      // Transactions from before the recorder was set do not report to it, so they must end first.
      await ports.store.transaction(async () => {})
      const now = new Date(ports.clockControl.read().now).toISOString()
      const { fixtures } = worlds
      const faults = ports.faults.own()
      const origin = { copy: await worlds.copy(ports), faults, now, fixtures }
      recorder.forgetMails()
      const { digests, published } = ports
      return { known: { digests, published }, recorder, about, origin }
    })
  } catch (error) {
    recorder.stop()
    throw error
  }
}

function readPast(
  { recorder, origin }: Recording,
  ports: Ports,
  { at, target }: { at: HistoryPoint; target: string },
): Promise<WorldPast & { step: number }> {
  return recorder.alone(async () => {
    const instants = recorder.instants()
    const step = typeof at === 'number' ? at : instants.filter((each) => each <= Date.parse(at)).length
    const found = step <= instants.length ? await recorder.readPast(step) : undefined
    if (!found)
      throw invalidInput([
        finding(target, `is outside the recording: ${describe(instants)}`, { source: 'our choice: forks' }),
      ])
    const { changes, now, faults, head } = found
    const blobs = new Map<string, Uint8Array>()
    for (const image of changes.get('symptomImages')?.values() ?? []) {
      const sha256 = String(image?.['sha256'])
      const bytes = image && !blobs.has(sha256) ? await ports.blobs.get(sha256) : undefined
      if (bytes) blobs.set(sha256, bytes)
    }
    return { step, copy: origin.copy, changes, seed: recorder.seed, now, faults, head, blobs }
  })
}

function describe(instants: readonly number[]): string {
  const [first] = instants
  if (first === undefined) return 'it has no steps yet'
  return `its steps are 1 to ${instants.length}, the first at ${new Date(first).toISOString()}`
}

/** With placeholders instead of secrets, in chunks so that a long recording does not block the server. */
export async function* writeRecording(
  { known, recorder, about, origin }: Recording,
  { isComplete, sellers, signal }: { isComplete: boolean; sellers: readonly string[]; signal: AbortSignal },
): AsyncGenerator<string> {
  const steps = await recorder.alone(async () => recorder.steps())
  const { ended } = recorder
  const written = await writeOrigin(origin, { isComplete, signal })
  yield* writeWithoutSecrets({ ...about, ...written }, steps, {
    ...known,
    issued: [...recorder.issued, ...sellers],
    signal,
  })
  if (ended !== undefined) yield writeEnd(ended)
}

function assertNotRecorded({ state }: Ports): void {
  if (state.recorder)
    throw new DomainError('conflict', 'the world is already being recorded', { source: 'our choice: control-refusals' })
}
