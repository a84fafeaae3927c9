import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Inputs of a build: files, and folders with all their content. */
const SOURCES = ['src', 'docs', 'scripts/build', 'package-lock.json']

/** File in which a build stores the stamp of its sources. */
export const stampFile = (root) => join(root, 'dist/.stamp')

/**
 * Returns names, sizes and modification times of all sources. Reading their content would slow down every start too
 * much.
 */
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

/** Written before the stamp if only the part that `npm start` runs was built. */
export const SERVED_ONLY = 'served only\n'

/** Returns whether `dist` is up to date: all of it, or at least the part that `npm start` runs. */
export function isBuilt(root, { servedOnly = false } = {}) {
  try {
    const stamp = readFileSync(stampFile(root), 'utf8')
    return (servedOnly ? stamp.replace(SERVED_ONLY, '') : stamp) === stampOf(root)
  } catch {
    return false
  }
}
