import { takeSnapshot } from '../domain/control/snapshots.ts'
import { DomainError } from '../domain/errors.ts'
import { toHex } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import { CASE_VERSION, type CaseHeader } from '../../contract/records/control/case.ts'
import { writeEnd } from '../../contract/cases/case-file.ts'
import { CaseRecorder } from './recorder.ts'
import { writeWithoutSecrets } from './secrets.ts'

/** Holds nothing of a world that has ended but what was recorded of it. */
export interface Recording {
  known: Pick<Ports, 'digests' | 'published' | 'turns'>
  recorder: CaseRecorder
  header: Omit<CaseHeader, 'tokens'>
}

/** Records a world from now on, by a program of that version; refused when it is recorded already. */
export async function beginRecording(ports: Ports, version: string, name?: string): Promise<Recording> {
  assertNotRecorded(ports)
  const seed = toHex(await ports.random.bytes('recording', 16))
  // Two that begin at once: the first has it.
  assertNotRecorded(ports)
  const recorder = new CaseRecorder(ports, seed)
  try {
    return await recorder.alone(async () => {
      const start = new Date(ports.clockControl.read().now).toISOString()
      const { seed: _own, ...snapshot } = await takeSnapshot(ports)
      await recorder.countMails()
      const header = {
        case: CASE_VERSION as typeof CASE_VERSION,
        version,
        ...(name !== undefined && { name }),
        world: ports.world.name,
        ...(ports.world.publicUrl !== undefined && { publicUrl: ports.world.publicUrl }),
        start,
        seed,
        head: ports.bus.head(),
        snapshot: { ...snapshot, seed, clock: { frozenAt: start }, blobs: Object.fromEntries(snapshot.blobs) },
      }
      const { digests, published, turns } = ports
      return { known: { digests, published, turns }, recorder, header }
    })
  } catch (error) {
    recorder.stop()
    throw error
  }
}

/** The case so far, without its secrets, by pieces: a long one holds up nobody. */
export async function* writeRecording({ known, recorder, header }: Recording): AsyncGenerator<string> {
  const steps = await recorder.alone(async () => recorder.steps())
  const { ended } = recorder
  yield* writeWithoutSecrets(header, steps, {
    sha256: known.digests.sha256,
    isPublished: (digest) => known.published.has(digest),
    issued: recorder.issued,
    giveWay: () => known.turns.give(),
  })
  if (ended !== undefined) yield writeEnd(ended)
}

function assertNotRecorded({ recorder }: Ports): void {
  if (recorder) throw new DomainError('conflict', 'the world is recorded already')
}
