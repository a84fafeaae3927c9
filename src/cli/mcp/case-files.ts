import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { CaseFiles } from '#tools/mcp/context.ts'
import { readText, UsageError, writeResult } from '../input-output.ts'

/** An agent may open files below the folder of the tools, and no others. */
export function createCaseFiles(folder: string): CaseFiles {
  return {
    async read(file) {
      const path = await realpath(await toPath(folder, file)).catch(() => undefined)
      if (path === undefined) throw new UsageError(`there is no file ${file}`)
      if (!isBelow(await realpath(folder), path)) throw refused(file)
      return readText(path)
    },
    async write(file, text) {
      const path = await toPath(folder, file)
      if (await lstat(path).catch(() => undefined)) throw new UsageError(`cannot write ${file}: it is there already`)
      await writeResult(text, path, { stdout: { write: () => {} }, stderr: { write: () => {} } })
    },
  }
}

/** Links may lead out of the folder, so the real path must be below it. */
async function toPath(folder: string, file: string): Promise<string> {
  if (file === '' || file.includes('\0')) throw refused(file)
  const path = resolve(folder, file)
  const root = await realpath(folder)
  const parent = await realpath(dirname(path)).catch(() => undefined)
  if (parent === undefined) {
    // An agent must not learn which other folders exist.
    const isHere = [resolve(folder), root].some((each) => isBelow(each, path))
    throw isHere ? new UsageError(`there is no folder of ${file}`) : refused(file)
  }
  if (parent !== root && !isBelow(root, parent)) throw refused(file)
  return join(parent, basename(path))
}

const isBelow = (root: string, path: string) => path.startsWith(root.endsWith(sep) ? root : root + sep)

function refused(file: string): UsageError {
  return new UsageError(`${JSON.stringify(file)} is no file below the folder that vendor-cloud mcp was started in`)
}
