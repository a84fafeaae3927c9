import type { Digests } from '../ports/chance.ts'
import { SNAPSHOT_VERSION } from '../../contract/records/snapshot-migrations.ts'
import type { Pattern } from './engine.ts'
import { nodeTurns } from './node/turns.ts'

/** The same for the same records, in whatever process: an engine keeps them once, a case names them by it. */
export async function digestOf({ names, read }: Pattern, { sha256 }: Pick<Digests, 'sha256'>): Promise<string> {
  let digest = String(SNAPSHOT_VERSION)
  for (const name of names) {
    digest = sha256(`${digest} ${name}`)
    for (const record of read(name).records) {
      digest = sha256(`${digest}${JSON.stringify(record)}`)
      await nodeTurns.give()
    }
  }
  return digest
}
