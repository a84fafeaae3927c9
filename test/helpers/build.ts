import { join } from 'node:path'
import { build } from '../../scripts/build/build.mjs'
import { isBuilt } from '../../scripts/build/stamp.mjs'

const root = join(import.meta.dirname, '../..')

/** What tests start in a process of its own is what users run: the bundle, made anew when the sources have changed. */
export async function setup(): Promise<void> {
  if (!isBuilt(root) && !(await build(root))) throw new Error('the server cannot be built')
}
