import type { Digests } from '#server/ports/chance.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import type { Changes } from '../memory/tables.ts'
import type { Stored } from '../record.ts'
import type { Bases } from './bases.ts'
import type { Database } from './database.ts'
import { readBody, readKey } from './rows.ts'

/** Number of rows per read. It is small, so that other work can run between two reads. */
const SLICE = 500

export async function readRows(file: Database): Promise<ReadonlyMap<number, Changes>> {
  const found = new Map<number, Changes>()
  const columns = 'world, collection, key, body, checksum'
  const order = `ORDER BY world, collection, key LIMIT ${SLICE}`
  const sql = `SELECT ${columns} FROM records WHERE (world, collection, key) > (?, ?, ?) ${order}`
  let rows = await file.read(sql, 0, '', '')
  while (rows.length > 0) {
    const { world, collection, key } = rows.at(-1)!
    // The thread reads the next rows while this code parses the current rows.
    const next = file.read(sql, world!, collection!, key!)
    next.catch(() => {})
    for (const row of rows) {
      const [owner, name] = [Number(row['world']), String(row['collection']) as CollectionName]
      if (!Object.hasOwn(collections, name)) throw new Error(`it contains an unknown object: ${name}`)
      const ofOwner: Changes = found.get(owner) ?? new Map()
      const records = ofOwner.get(name) ?? new Map<string, Stored | undefined>()
      found.set(owner, ofOwner.set(name, records.set(readKey(row), (readBody(row) as Stored | null) ?? undefined)))
    }
    rows = await next
  }
  return found
}

interface ImageCheck {
  digests: Pick<Digests, 'sha256'>
  baseOf: (owner: number) => number | undefined
  bases: Pick<Bases, 'find'>
  isOfFixtures: (digest: string) => boolean
}

/** Removes images whose upload was never completed or whose world no longer exists. */
export async function checkImages(
  file: Database,
  { digests: { sha256 }, baseOf, bases, isOfFixtures }: ImageCheck,
): Promise<void> {
  const digest = `json_extract(body, '$.sha256') AS digest`
  const named = `SELECT world, ${digest} FROM records WHERE collection = 'symptomImages' AND body <> 'null'`
  await file.write([`DELETE FROM images WHERE (world, digest) NOT IN (${named})`])
  const kept = new Set<string>()
  for (const { world, digest } of await file.read('SELECT world, digest FROM images')) {
    const [row] = await file.read('SELECT bytes FROM images WHERE world = ? AND digest = ?', world!, digest!)
    if (sha256(row!['bytes'] as Uint8Array) !== digest)
      throw new Error(`the image ${digest} does not match its checksum`)
    bases.find(Number(world))?.images.add(String(digest))
    kept.add(`${world} ${digest}`)
  }
  const images = await file.read(named)
  // Images of the fixtures are not stored here, because the fixtures contain their bytes.
  const ofPatterns = images.filter(({ world }) => bases.find(Number(world))?.body.pattern)
  const elsewhere = new Set(ofPatterns.map(({ digest }) => digest))
  for (const { world, digest } of images) {
    const owners = [world, baseOf(Number(world))]
    const isHere = owners.some((owner) => kept.has(`${owner} ${digest}`))
    if (!isHere && !elsewhere.has(digest) && !isOfFixtures(String(digest))) {
      throw new Error(`the image ${digest} is missing`)
    }
  }
}
