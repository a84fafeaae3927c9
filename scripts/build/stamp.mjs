import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The inputs of a build: files, and folders with all their content. */
const SOURCES = ['src', 'docs', 'scripts/build', 'package-lock.json']

/** Where a build keeps the stamp of the sources that it was made from. */
export const stampFile = (root) => join(root, 'dist/.stamp')

/** Names, sizes and times of all sources: reading contents would cost every start more than it finds. */
export function stampOf(root) {
  return SOURCES.filter((source) => existsSync(join(root, source)))
    .flatMap((source) => {
      const entries = statSync(join(root, source)).isDirectory()
        ? readdirSync(join(root, source), { recursive: true }).map((entry) => join(source, entry))
        : [source]
      return entries.sort().map((entry) => {
        const { size, mtimeMs } = statSync(join(root, entry))
        return `${entry} ${size} ${mtimeMs}\n`
      })
    })
    .join('')
}

/** Before the stamp of a build of what `npm start` runs, and no more. */
export const SERVED_ONLY = 'served only\n'

/** Whether `dist` was made from the sources as they are now: all of it, or at least what `npm start` runs. */
export function isBuilt(root, { servedOnly = false } = {}) {
  try {
    const stamp = readFileSync(stampFile(root), 'utf8')
    return (servedOnly ? stamp.replace(SERVED_ONLY, '') : stamp) === stampOf(root)
  } catch {
    return false
  }
}
