import { join } from 'node:path'
import { build } from '../../scripts/build/build.mjs'
import { isBuilt } from '../../scripts/build/stamp.mjs'

const root = join(import.meta.dirname, '../..')

/** Users run the bundle, so tests that start a process run the bundle too. It is rebuilt if sources have changed. */
export async function setup(): Promise<void> {
  if (!isBuilt(root) && !(await build(root))) throw new Error('the server cannot be built')
}
