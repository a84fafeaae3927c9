import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { DATA_FILE } from '../../../src/server/adapters/disk/data-file.ts'
import { createDiskEngine } from '../../../src/server/adapters/disk/engine.ts'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { openStoredFixtures } from '../../../src/server/seed/stored-fixtures.ts'
import type { Stored, WorldRecords } from '../../../src/server/adapters/record.ts'
import type { CollectionName } from '../../../src/contract/records/collections.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { newTicket } from '../../helpers/records.ts'

export const openEngine = (folder: string) => createDiskEngine(folder, nodeDigests, openStoredFixtures)

export const worldRecord = (name = 'default') => ({
  plan: { name },
  seed: undefined,
  createdAt: 0,
  clock: { offsetMs: 0 },
})

export const IMAGE = new TextEncoder().encode('the bytes of an image')
export const IMAGE_DIGEST = nodeDigests.sha256(IMAGE)
export const image = {
  imageId: 'IMG-1',
  srid: '9410000001',
  ticketNumber: '9720000001',
  fileName: 'a.png',
  contentType: 'image/png',
  size: IMAGE.length,
  sha256: IMAGE_DIGEST,
  sequence: 1,
  uploadedAt: '2026-05-01T12:00:00.000Z',
} as const

export const TICKETS = 50
const tickets = Array.from({ length: TICKETS }, (_, i) =>
  newTicket({ srid: String(9_410_000_001 + i), ticketNumber: String(9_720_000_001 + i) }),
)

export interface Directories {
  stopped: string
  killed: string
}

/**
 * Creates two directories, one in the state after a stop and one in the state after a kill. Each contains a world with
 * tickets and an image.
 */
export async function releaseDirectories(folder: string): Promise<Directories> {
  const [stopped, killed] = [join(folder, 'stopped'), join(folder, 'killed')]
  const engine = await openEngine(stopped)
  const records: WorldRecords = new Map<CollectionName, Stored[]>([
    ['tickets', tickets],
    ['symptomImages', [image]],
  ])
  await engine.create(worldRecord(), { records, blobs: [[IMAGE_DIGEST, IMAGE]] })
  await engine.close()
  const next = await openEngine(stopped)
  const { store } = await next.open('default')
  await store.transaction((tx) => tx.settings.put({ name: 'last', value: 'word' }))
  cpSync(stopped, killed, { recursive: true })
  await next.close()
  return { stopped, killed }
}

/** Copies a directory in its current state, which is the state that a killed server leaves. */
export function copyOf(folder: string): string {
  const copy = join(makeTemporaryFolder(), 'data')
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** Changes the tables of the data file, as a database tool would. */
export function edit(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, DATA_FILE))
  database.exec(sql)
  database.close()
}

/** Reads rows from a directory that no server uses. */
export function read(folder: string, sql: string): unknown[] {
  const database = new DatabaseSync(join(folder, DATA_FILE))
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

export async function readDirectory(folder: string) {
  const engine = await openEngine(folder)
  try {
    const { store, blobs } = await engine.open('default')
    const { value } = (await store.settings.get('last')) ?? {}
    return { tickets: await store.tickets.count(), last: value, image: Buffer.from((await blobs.get(IMAGE_DIGEST))!) }
  } catch (error) {
    await engine.close()
    throw error
  } finally {
    await engine.close().catch(() => {})
  }
}
