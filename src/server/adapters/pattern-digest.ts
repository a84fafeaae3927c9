import type { Digests } from '../ports/chance.ts'
import { SNAPSHOT_VERSION } from '../../contract/records/snapshot-migrations.ts'
import type { Pattern } from './engine.ts'
import { nodeTurns } from './node/turns.ts'

/** Equal records give equal digests in any process: an engine keeps them once, and a case names them. */
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
