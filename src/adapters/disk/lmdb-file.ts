import type { RootDatabase } from 'lmdb'
import { Unavailable, UnusableState } from '../../ports.ts'
import { checksumOf, packValue, unpackValue } from './checked-values.ts'
import { type CommitMark, openCommitMark } from './commit-mark.ts'
import type { Renewal } from './renewal.ts'
import { removeFiles, replaceFile } from './safe-files.ts'

/** A text to put under a key, or the key to take away. */
export type Write = readonly [key: string, text: string | undefined]

/** Of all that the file holds: a file that lacks something adds up to something else. */
interface Totals {
  commits: number
  entries: number
  /** Of the entries' checksums. */
  sum: number
}

const TOTALS = Buffer.from('totals')

/**
 * Values are bytes. What is read lies in the driver's own memory until it reads the next: copies of a hundred thousand
 * values that are looked at once cost more than reading them does.
 */
const asTheyAre = {
  encode: (value: Buffer): Buffer => value,
  decode: (bytes: Uint8Array, size: number): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, size),
}

/** Texts by key, in one LMDB file. */
export class LmdbFile {
  readonly #path: string
  readonly #mark: CommitMark
  readonly #renewal: Renewal | undefined
  #db: RootDatabase<Buffer, Buffer>
  #totals: Totals = { commits: 0, entries: 0, sum: 0 }
  #lastTurn: Promise<unknown> = Promise.resolve()
  #isSound: boolean
  #isGivenUp = false

  private constructor(path: string, db: RootDatabase<Buffer, Buffer>, renewal: Renewal | undefined) {
    this.#path = path
    this.#mark = openCommitMark(`${path}-commits`)
    this.#renewal = renewal
    this.#db = db
    this.#isSound = renewal === undefined
  }

  /** With a renewal, what it has written takes the file's place, once this one has been read. */
  static async open(path: string, renewal?: Renewal): Promise<LmdbFile> {
    return new LmdbFile(path, await openDatabase(path), renewal)
  }

  /** Whether it was left whole, or has been written anew. */
  get isSound(): boolean {
    return this.#isSound
  }

  /**
   * Everything in it, in the order of the keys; UnusableState when something is damaged or missing. A text is there
   * until `take` returns.
   */
  read(take: (key: string, text: Buffer) => void): void {
    const found = { entries: 0, sum: 0 }
    let totals: Totals | undefined
    for (const { key, value } of this.#db.getRange()) {
      const text = unpackValue(key, value)
      if (text === undefined) throw damaged('a record in it is not what was written')
      if (key.equals(TOTALS)) {
        totals = JSON.parse(text.toString()) as Totals
        continue
      }
      found.entries++
      found.sum += checksumOf(value)
      take(key.toString(), text)
    }
    if (!totals || totals.entries !== found.entries || totals.sum !== found.sum) throw damaged('records are missing')
    const lost = this.#mark.read() - totals.commits
    if (lost > 0) throw damaged(`the last ${lost} commits are missing`)
    this.#totals = totals
    if (this.#renewal) this.#lastTurn = this.#takeUp(this.#renewal).catch(() => {})
  }

  /**
   * All of them or, rejecting with Unavailable, none; resolves when they are on disk. The last one for a key counts.
   */
  write(writes: readonly Write[]): Promise<void> {
    const turn = this.#lastTurn.then(() => this.#write(new Map(writes)))
    this.#lastTurn = turn.catch(() => {})
    return turn
  }

  keys(prefix: string): string[] {
    const start = Buffer.from(prefix)
    const end = Buffer.concat([start, Buffer.from([0xff])])
    return Array.from(this.#db.getKeys({ start, end }), String)
  }

  /** Whether the file answers. */
  ping(): void {
    this.#db.getBinaryFast(TOTALS)
  }

  /** One that is not sound takes no more writes: the next start begins with it as this one did. */
  async close(): Promise<void> {
    this.#isGivenUp = !this.#isSound
    if (this.#isGivenUp) await this.#renewal?.stop()
    await this.#lastTurn
    await this.#db.close()
    this.#mark.close()
  }

  /** What has been read can be served, and writes wait for this. Without room for two files the old one stays. */
  async #takeUp({ written }: Renewal): Promise<void> {
    const path = await written
    if (path === undefined || this.#isGivenUp) return
    const [old, fresh] = [this.#db, await openDatabase(path)]
    try {
      await replaceFile(path, this.#path)
    } catch (error) {
      await fresh.close()
      throw error
    }
    this.#db = fresh
    this.#isSound = true
    await old.close()
    await removeFiles([`${path}-lock`])
  }

  async #write(writes: ReadonlyMap<string, string | undefined>): Promise<void> {
    if (this.#isGivenUp) throw new Unavailable('the data file is being closed')
    let { entries, sum } = this.#totals
    const packed = Array.from(writes, ([name, text]) => {
      const key = Buffer.from(name)
      const old = this.#db.getBinaryFast(key)
      const value = text === undefined ? undefined : packValue(key, text)
      entries += Number(value !== undefined) - Number(old !== undefined)
      sum += (value ? checksumOf(value) : 0) - (old ? checksumOf(old) : 0)
      return { key, value }
    })
    const totals = { commits: this.#totals.commits + 1, entries, sum }
    await this.#commit([...packed, { key: TOTALS, value: packValue(TOTALS, JSON.stringify(totals)) }])
    this.#totals = totals
    this.#mark.write(totals.commits)
  }

  async #commit(writes: readonly { key: Buffer; value: Buffer | undefined }[]): Promise<void> {
    let reason: unknown
    // The driver tells of one failure in several places; each that nobody listens to would end the process.
    const listen = (outcome: Promise<unknown>) =>
      outcome.catch((error: { commitError?: Promise<unknown> }) => {
        reason ??= error
        return error.commitError?.catch((cause: unknown) => {
          reason = cause
        })
      })
    const outcomes: Promise<unknown>[] = []
    const whole = this.#db.batch(() => {
      for (const { key, value } of writes) outcomes.push(value ? this.#db.put(key, value) : this.#db.remove(key))
    })
    await Promise.all([...outcomes, whole].map(listen))
    if (reason !== undefined) throw new Unavailable('the data file cannot be written', { cause: reason })
  }
}

async function openDatabase(path: string): Promise<RootDatabase<Buffer, Buffer>> {
  const { open } = await import('lmdb')
  // A commit is acknowledged when it has been synced, not before. Batches that the driver makes by itself would fail
  // unheard.
  const options = { noSubdir: true, encoder: asTheyAre, keyEncoding: 'binary', overlappingSync: false } as const
  return open<Buffer, Buffer>({ path, ...options, commitDelay: 0, eventTurnBatching: false })
}

function damaged(reason: string): UnusableState {
  return new UnusableState(`the data file is damaged: ${reason}`)
}
