import { join } from 'node:path'
import { build } from '../../scripts/build/build.mjs'
import { isBuilt } from '../../scripts/build/stamp.mjs'

const root = join(import.meta.dirname, '../..')

/** Users run the bundle, so tests in a process of its own run it too; it is made again when sources have changed. */
export async function setup(): Promise<void> {
  if (!isBuilt(root) && !(await build(root))) throw new Error('the server cannot be built')
}
