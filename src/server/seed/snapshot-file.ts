import { readFile } from 'node:fs/promises'
import type { Digests } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'
import { describeFailure, describeJsonFailure } from '../../contract/failures.ts'
import type { Snapshot } from '../../contract/records/snapshot.ts'
import { readSnapshot } from '../../contract/records/snapshot-reading.ts'

/** The message tells the file and the reasons. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/** Older versions are migrated, and everything is checked. */
export async function readSnapshotFile(file: string, digests: Digests, real: Clock): Promise<Snapshot> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new SnapshotError(`${file}: the snapshot cannot be read: ${describeFailure(error)}`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new SnapshotError(`${file}: ${describeJsonFailure(text, error as Error)}`)
  }
  const read = await readSnapshot(value, { sha256: digests.sha256, realNow: real.now(), giveWay: () => undefined })
  if ('snapshot' in read) return read.snapshot
  throw new SnapshotError(
    read.issues.map(({ target, rule }) => `${file}: ${target || 'the snapshot'} ${rule}`).join('\n'),
  )
}
