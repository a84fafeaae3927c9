import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Blobs, type Digests, Unavailable } from '../../ports.ts'
import { collectionNames } from '../../schemas/collections.ts'
import { type DataDirectory, dataFile, openDataDirectory } from './data-directory.ts'
import type { Engine, Housing, WorldContent, WorldRecord } from '../engine.ts'
import { checkBlobs, createFileBlobs, makeBlobFolder } from './blobs.ts'
import { LmdbFile, type Write } from './lmdb-file.ts'
import { type EntryLists, type Image, type Kept, readImage, writeWorld } from './image.ts'
import { housePrefix, toWrite, toWrites, worldKey } from './keys.ts'
import { type Renewal, renewDataFile } from './renewal.ts'
import { readSource, type WorldRecords } from '../record.ts'
import { sweepFolder } from './safe-files.ts'
import { createWriteThroughStore } from './store.ts'

/** Worlds in a directory of this machine, for one process at a time. */
export async function createLmdbEngine(path: string, digests: Digests): Promise<Engine> {
  const directory = await openDataDirectory(path)
  const blobFolder = join(path, 'images')
  let renewal: Renewal | undefined
  let file: LmdbFile | undefined
  try {
    if (!directory.isIntact) renewal = await renewDataFile(dataFile(path))
    file = await LmdbFile.open(dataFile(path), renewal)
    const image = await readImage(file, directory)
    await sweepFolder(blobFolder, new Set([...image.worlds.values()].map(({ house }) => String(house))))
    return new LmdbEngine(file, image, blobFolder, digests, directory)
  } catch (error) {
    await renewal?.stop()
    await file?.close()
    await directory.unlock()
    throw error
  }
}

class LmdbEngine implements Engine {
  readonly installation = 'this machine'
  readonly #file: LmdbFile
  readonly #worlds: Map<string, Kept>
  readonly #records: Image['records']
  readonly #blobFolder: string
  readonly #digests: Digests
  readonly #directory: DataDirectory
  #lastHouse: number

  constructor(file: LmdbFile, image: Image, blobFolder: string, digests: Digests, directory: DataDirectory) {
    this.#file = file
    this.#worlds = image.worlds
    this.#records = image.records
    this.#lastHouse = image.lastHouse
    this.#blobFolder = blobFolder
    this.#digests = digests
    this.#directory = directory
  }

  list(): WorldRecord[] {
    return [...this.#worlds.values()].map(({ record, house }) => ({ ...record, id: String(house) }))
  }

  async open(name: string): Promise<Housing> {
    const { house } = this.#worlds.get(name)!
    const records: EntryLists = this.#records.get(house) ?? new Map()
    this.#records.delete(house)
    const images = records.get('symptomImages') ?? []
    const folder = await makeBlobFolder(this.#blobFolder, String(house))
    await checkBlobs(folder, new Set(images.map((image) => String(image['sha256']))), this.#digests)
    return this.#house(name, house, records, createFileBlobs(folder))
  }

  async create(record: WorldRecord, content: WorldContent, { replace = false } = {}): Promise<Housing | undefined> {
    const { blobs: initial } = content
    const records = new Map(Array.from(content.records, ([name, source]) => [name, readSource(source)] as const))
    const { name } = record.plan
    if (this.#worlds.has(name) && !replace) return undefined
    const house = ++this.#lastHouse
    const blobs = await this.#makeBlobs(house)
    try {
      for (const [digest, bytes] of initial) await blobs.put(digest, bytes)
      await this.#file.write([...recordsOf(records, house), writeWorld({ record, house })])
    } catch (error) {
      await this.#removeBlobs(house)
      throw error
    }
    this.#worlds.set(name, { record, house })
    return this.#house(name, house, records, blobs)
  }

  async close(): Promise<void> {
    await this.#file.close()
    await (this.#file.isSound ? this.#directory.release() : this.#directory.unlock())
  }

  async abandon(): Promise<void> {
    await this.#file.close()
    await this.#directory.unlock()
  }

  #house(name: string, house: number, records: WorldRecords, blobs: Blobs): Housing {
    let isOpen = true
    const assertOpen = () => {
      if (!isOpen) throw new Unavailable('this world has ended')
    }
    const store = createWriteThroughStore({
      records,
      persist: async (batch) => {
        assertOpen()
        await this.#file.write(toWrites(house, batch))
      },
      ping: async () => this.#file.ping(),
    })
    const close = async () => {
      await store.close()
      isOpen = false
    }
    return {
      id: String(house),
      store,
      blobs,
      saveClock: async (clock) => {
        const kept = this.#worlds.get(name)
        if (kept?.house !== house) throw new Unavailable('this world has ended')
        const record = { ...kept.record, clock }
        await this.#file.write([writeWorld({ record, house })])
        kept.record = record
        return undefined
      },
      ping: async () => this.#file.ping(),
      close,
      discard: async () => {
        await close()
        try {
          await this.#forget(name, house)
        } catch (error) {
          isOpen = true
          throw error
        }
      },
    }
  }

  async #forget(name: string, house: number): Promise<void> {
    const isListed = this.#worlds.get(name)?.house === house
    const gone = this.#file.keys(housePrefix(house)).map((key): Write => [key, undefined])
    await this.#file.write(isListed ? [...gone, [worldKey(name), undefined]] : gone)
    if (isListed) this.#worlds.delete(name)
    await this.#removeBlobs(house)
  }

  async #makeBlobs(house: number): Promise<Blobs> {
    const made = makeBlobFolder(this.#blobFolder, String(house))
    return createFileBlobs(
      await made.catch((error: Error) => {
        throw new Unavailable('the images cannot be reached', { cause: error })
      }),
    )
  }

  /** A start sweeps what cannot be removed now. */
  async #removeBlobs(house: number): Promise<void> {
    await rm(join(this.#blobFolder, String(house)), { recursive: true, force: true }).catch(() => {})
  }
}

function recordsOf(records: WorldRecords, house: number): Write[] {
  return collectionNames.flatMap((name) => readSource(records.get(name)).map((record) => toWrite(house, name, record)))
}
