import type { Digests } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'
import { UnusableState } from '../ports/failures.ts'
import { describeFailure } from '#contract/failures.ts'
import type { Snapshot } from '#contract/records/snapshot.ts'
import { parseSnapshot, readSnapshot } from '#contract/records/snapshot-reading.ts'
import { readInput } from './input-file.ts'

export async function readSnapshotFile(file: string, digests: Digests, real: Clock): Promise<Snapshot> {
  const bytes = await readInput(file).catch((error: Error) => {
    throw new UnusableState(`cannot read snapshot ${file}: ${describeFailure(error)}`)
  })
  const read = await readSnapshot(parseSnapshot(bytes), {
    sha256: digests.sha256,
    realNow: real.now(),
    knownOnly: true,
  })
  if ('snapshot' in read) return read.snapshot
  throw new UnusableState(read.issues.map(({ target, rule }) => `${file}: ${target} ${rule}`).join('\n'))
}
