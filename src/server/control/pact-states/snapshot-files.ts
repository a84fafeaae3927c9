import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import process from 'node:process'
import { restoreSnapshot } from '../../domain/control/snapshots.ts'
import { type DomainError, finding, invalidInput } from '../../domain/errors.ts'
import { readBulkJson, UnreadableBody } from '../../http/input/json-body.ts'
import type { Ports } from '../../ports.ts'
import type { Worlds } from '../../ports/worlds.ts'
import type { KnownPath } from '../../http/known-paths.ts'
import { toKnownSnapshot } from '../snapshots/known-faults.ts'

/** A file has no larger bound than a snapshot that is sent. */
const LARGEST = 256 * 1024 * 1024

/** Only files below the working folder are read, and no message repeats their content. */
export async function restoreFile(
  { worlds, ports, known }: { worlds: Worlds; ports: Ports; known: readonly KnownPath[] },
  file: string,
): Promise<void> {
  const read = await readBulkJson(await readBelow(process.cwd(), file), () => ports.turns.give())
  if (read instanceof UnreadableBody) throw refuse('names a file that is no JSON, or has too much in it')
  await restoreSnapshot({ worlds, ports }, read, (snapshot) => toKnownSnapshot(snapshot, ports, known))
}

async function readBelow(folder: string, file: string): Promise<Buffer> {
  if (isAbsolute(file) || /^[a-z]:|\0/i.test(file) || file.split(/[\\/]/).includes('..')) {
    throw refuse('must name a file below the working folder of the server, without ..')
  }
  const missing = () => refuse('names no file that can be read')
  const root = await realpath(folder)
  const path = await realpath(join(root, file)).catch(() => {
    throw missing()
  })
  // A link may lead out of the folder.
  if (isAbsolute(relative(root, path)) || relative(root, path).split(sep)[0] === '..') throw missing()
  // A pipe would be waited for without end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw missing()
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw missing()
    if (stat.size > LARGEST) throw refuse(`names a file of more than ${LARGEST} bytes`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

function refuse(rule: string): DomainError {
  return invalidInput([finding('body.state', rule, { source: 'our choice: control-refusals' })])
}
