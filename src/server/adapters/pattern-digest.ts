import type { Digests } from '../ports/chance.ts'
import { yielding } from '../ports/yielding.ts'
import { SNAPSHOT_VERSION } from '#contract/records/snapshot-migrations.ts'
import type { Pattern } from './engine.ts'

/** Equal records give equal digests in any process: an engine keeps them once, and a case names them. */
export async function digestOf({ names, read }: Pattern, { sha256 }: Pick<Digests, 'sha256'>): Promise<string> {
  let digest = String(SNAPSHOT_VERSION)
  for (const name of names) {
    digest = sha256(`${digest} ${name}`)
    for await (const record of yielding(read(name).records)) digest = sha256(`${digest}${JSON.stringify(record)}`)
  }
  return digest
}
