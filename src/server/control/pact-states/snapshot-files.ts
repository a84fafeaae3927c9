import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import process from 'node:process'
import { restoreSnapshot } from '../../domain/control/snapshots.ts'
import { finding, invalidInput } from '../../domain/errors.ts'
import type { Ports } from '../../ports.ts'
import type { Worlds } from '../../ports/worlds.ts'

/** As of a snapshot that is sent. */
const LARGEST = 256 * 1024 * 1024

/** Puts a world where a file says that lies below the folder the server works in. No message repeats what is in it. */
export async function restoreFile(worlds: Worlds, ports: Ports, file: string): Promise<void> {
  await restoreSnapshot(worlds, ports, parse(await readBelow(process.cwd(), file)))
}

async function readBelow(folder: string, file: string): Promise<string> {
  const refuse = (rule: string) => invalidInput([finding('body.state', rule)])
  if (isAbsolute(file) || /^[a-z]:|\0/i.test(file) || file.split(/[\\/]/).includes('..')) {
    throw refuse('must name a file below the working folder of the server, without ..')
  }
  const missing = () => refuse('names no file that can be read')
  const root = await realpath(folder)
  const path = await realpath(join(root, file)).catch(() => {
    throw missing()
  })
  // A link may lead elsewhere.
  if (isAbsolute(relative(root, path)) || relative(root, path).split(sep)[0] === '..') throw missing()
  // A pipe would be waited for.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw missing()
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw missing()
    if (stat.size > LARGEST) throw refuse(`names a file of more than ${LARGEST} bytes`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidInput([finding('body.state', 'names a file that is no JSON')])
  }
}
