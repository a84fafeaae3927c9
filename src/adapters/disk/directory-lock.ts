import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { UnusableState } from '../../ports.ts'

/** A socket's address has room for so many bytes on every system. */
const LONGEST_ADDRESS = 100

/**
 * Keeps a second process out of a directory, until `release` or the end of this one, however it ends: what answers on
 * the socket lives. A process id would say nothing where containers share a directory.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const folder = openSync(directory, 'r')
  const path = join(directory, 'lock')
  const inShort = (name: string) => join(path.length < LONGEST_ADDRESS ? directory : `/proc/self/fd/${folder}`, name)
  try {
    for (;;) {
      const server = await listen(inShort('lock'))
      if (server) return () => close(server).then(() => closeSync(folder))
      if (await answers(inShort('lock'))) throw inUse(directory)
      await setAside(directory, inShort)
    }
  } catch (error) {
    closeSync(folder)
    throw error
  }
}

/** What a dead process left goes; if it was replaced by a living one in between, that goes back. */
async function setAside(directory: string, inShort: (name: string) => string): Promise<void> {
  const aside = `lock-${randomBytes(4).toString('hex')}`
  try {
    await rename(join(directory, 'lock'), join(directory, aside))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (await answers(inShort(aside))) {
    await rename(join(directory, aside), join(directory, 'lock'))
    throw inUse(directory)
  }
  await rm(join(directory, aside))
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(path, () => resolve(server.unref()))
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Only what nobody listens on is dead: one that stands still may have more callers waiting than it can hold.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function inUse(directory: string): UnusableState {
  return new UnusableState(`${directory} is in use by another server`)
}
