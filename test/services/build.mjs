// The instances of these tests are what users run: the bundle, made anew when the sources have changed.
import { join } from 'node:path'
import { build } from '../../scripts/build.mjs'
import { isBuilt } from '../../scripts/stamp.mjs'

const root = join(import.meta.dirname, '../..')

export async function setup() {
  if (!isBuilt(root) && !(await build(root))) throw new Error('the server cannot be built')
}
