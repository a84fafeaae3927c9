import { takeSnapshot } from '../domain/control/snapshots.ts'
import { DomainError } from '../domain/errors.ts'
import { toHex } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import { CASE_VERSION, type CaseHeader } from '../schemas/control/case.ts'
import { writeCase } from './case-file.ts'
import { CaseRecorder } from './recorder.ts'
import { hideSecrets } from './secrets.ts'

export interface Recording {
  ports: Ports
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
        snapshot: { ...snapshot, seed, clock: { frozenAt: start } },
      }
      return { ports, recorder, header }
    })
  } catch (error) {
    recorder.stop()
    throw error
  }
}

/** The case so far, without its secrets. */
export async function writeRecording({ ports, recorder, header }: Recording): Promise<string> {
  return recorder.alone(async () => {
    const hidden = hideSecrets(header, recorder.steps(), {
      sha256: ports.digests.sha256,
      isPublished: (digest) => ports.published.has(digest),
      issued: recorder.issued,
    })
    return writeCase({ ...hidden, ended: recorder.ended })
  })
}

function assertNotRecorded({ recorder }: Ports): void {
  if (recorder) throw new DomainError('conflict', 'the world is recorded already')
}
