import { DomainError } from '../domain/errors.ts'
import { toHex } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import type { WorldCopy, Worlds } from '../ports/worlds.ts'
import { writeEnd } from '../../contract/cases/case-file.ts'
import { toBase64 } from '../../contract/records/base64.ts'
import { collectionNames } from '../../contract/records/collections.ts'
import { CASE_VERSION, type CaseHeader } from '../../contract/records/control/case.ts'
import type { Fault } from '../../contract/records/control/fault.ts'
import type { StoredRecord } from '../../contract/records/snapshot.ts'
import { SNAPSHOT_VERSION } from '../../contract/records/snapshot-migrations.ts'
import { CaseRecorder } from './recorder.ts'
import { writeWithoutSecrets } from './secrets.ts'

/** Holds nothing of a world that has ended but what was recorded of it, and what it began with. */
export interface Recording {
  known: Pick<Ports, 'digests' | 'published' | 'turns'>
  recorder: CaseRecorder
  about: Omit<CaseHeader, 'tokens' | 'snapshot'>
  /** The world as it was when the recording began: most are never asked for, so it is written when one is. */
  began: { copy: WorldCopy; faults: readonly Fault[] }
}

/** Records a world from now on, by a program of that version; refused when it is recorded already. */
export async function beginRecording(
  worlds: Worlds,
  ports: Ports,
  { version, name }: { version: string; name?: string | undefined },
): Promise<Recording> {
  assertNotRecorded(ports)
  const seed = toHex(await ports.random.bytes('recording', 16))
  // Two that begin at once: the first has it.
  assertNotRecorded(ports)
  const recorder = new CaseRecorder(ports, seed)
  try {
    return await recorder.alone(async () => {
      const about = {
        case: CASE_VERSION as typeof CASE_VERSION,
        version,
        ...(name !== undefined && { name }),
        world: ports.world.name,
        ...(ports.world.publicUrl !== undefined && { publicUrl: ports.world.publicUrl }),
        start: new Date(ports.clockControl.read().now).toISOString(),
        seed,
        head: ports.bus.head(),
      }
      const began = { copy: await worlds.copy(ports), faults: ports.faults.list() }
      await recorder.countMails()
      const { digests, published, turns } = ports
      return { known: { digests, published, turns }, recorder, about, began }
    })
  } catch (error) {
    recorder.stop()
    throw error
  }
}

/** The case so far, without its secrets, by pieces: a long one holds up nobody. */
export async function* writeRecording({ known, recorder, about, began }: Recording): AsyncGenerator<string> {
  const steps = await recorder.alone(async () => recorder.steps())
  const { ended } = recorder
  yield* writeWithoutSecrets({ ...about, snapshot: await writeSnapshot(about, began, known) }, steps, {
    sha256: known.digests.sha256,
    isPublished: (digest) => known.published.has(digest),
    issued: recorder.issued,
    giveWay: () => known.turns.give(),
  })
  if (ended !== undefined) yield writeEnd(ended)
}

async function writeSnapshot(
  { seed, start }: Recording['about'],
  { copy, faults }: Recording['began'],
  { turns }: Pick<Ports, 'turns'>,
): Promise<CaseHeader['snapshot']> {
  const records: Record<string, readonly StoredRecord[]> = {}
  for (const name of collectionNames) records[name] = await copy.read(name)
  const images = new Set(records['symptomImages']!.map(({ sha256 }) => String(sha256)))
  const blobs: Record<string, string> = {}
  for (const digest of [...images].sort()) {
    const bytes = copy.blobs.get(digest)
    if (bytes) blobs[digest] = toBase64(bytes)
    await turns.give()
  }
  return { schemaVersion: SNAPSHOT_VERSION, clock: { frozenAt: start }, faults, records, blobs, seed }
}

function assertNotRecorded({ recorder }: Ports): void {
  if (recorder) throw new DomainError('conflict', 'the world is recorded already')
}
