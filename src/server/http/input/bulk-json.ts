import type { Source } from '../../../contract/rules.ts'

/** So many bytes are parsed in one turn. */
const PIECE = 64 * 1024
/** So many bytes are scanned in one turn. */
const STRETCH = 1024 * 1024
/** Listing the names of a larger object would hold the event loop. */
export const MOST_NAMES = 20_000

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The message is a sentence about the body, since the client can mend it. */
export class BodyError extends Error {
  readonly source: Source

  constructor(message: string, source: Source = 'our choice: json-bodies') {
    super(message)
    this.source = source
  }
}

interface Reading {
  /** The piece must be JSON by itself; otherwise it throws. */
  parse(piece: Buffer): unknown
  giveWay(): Promise<void> | undefined
}

/**
 * The value of a large JSON text, parsed piece by piece: JSON.parse would hold the event loop for as long as it takes.
 * Lists and objects longer than a piece are taken apart, whatever else stands in the text reaches `parse`. An object of
 * too many names is refused; directly in the outermost one, where a world has its collections, it becomes a map.
 */
export async function parseBulkJson(bytes: Buffer, { parse, giveWay }: Reading): Promise<unknown> {
  async function read(from: number, to: number, depth = 0): Promise<unknown> {
    const start = skipSpace(bytes, from, to)
    const mark = bytes[start]
    if (to - start <= PIECE || (mark !== OPEN_LIST && mark !== OPEN_OBJECT)) return parse(bytes.subarray(from, to))
    const end = lastOf(bytes, start, to)
    if (bytes[end] !== (mark === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT))
      throw new SyntaxError('a bracket is not closed')
    return mark === OPEN_LIST ? readList(start + 1, end, depth) : readObject(start + 1, end, depth)
  }

  async function readList(from: number, to: number, depth: number): Promise<unknown[]> {
    const list: unknown[] = []
    for await (const { start, end, isLarge } of splitIntoRuns(from, to)) {
      if (isLarge) list.push(await read(start, end, depth + 1))
      else for (const each of parseRun('[', start, end, ']') as unknown[]) list.push(each)
    }
    return list
  }

  async function readObject(from: number, to: number, depth: number): Promise<object> {
    const object: Record<string, unknown> = {}
    let map: Map<string, unknown> | undefined
    let names = 0
    const add = (entries: readonly (readonly [name: string, value: unknown])[]) => {
      names += entries.length
      if (names > MOST_NAMES && depth !== 1) {
        throw new BodyError(`the JSON body has an object of more than ${MOST_NAMES} names`, 'our choice: json-bounds')
      }
      if (names > MOST_NAMES) map ??= new Map(Object.entries(object))
      if (map) for (const [name, value] of entries) map.set(name, value)
      else define(object, entries)
    }
    for await (const { start, end, isLarge } of splitIntoRuns(from, to)) {
      // Not by assignment: `__proto__` must become a name like another, so that it can be refused.
      if (!isLarge) add(Object.entries(parseRun('{', start, end, '}') as object))
      else {
        const colon = endOfName(bytes, start, end)
        const [name] = Object.keys(parseRun('{', start, colon, ':0}') as object)
        add([[name!, await read(colon + 1, end, depth + 1)]])
      }
    }
    return map ?? object
  }

  /** Entries are parsed together up to about a piece; a larger one is parsed alone. */
  async function* splitIntoRuns(from: number, to: number) {
    const commas = new CommaScan(bytes, from, to)
    for (let [start, entry] = [from, from]; ; ) {
      const comma = commas.next()
      if (comma === undefined) {
        await giveWay()
        continue
      }
      const isLarge = comma - entry > PIECE
      if (isLarge && entry > start) yield { start: requireEntries(start, entry - 1), end: entry - 1, isLarge: false }
      if (isLarge) yield { start: entry, end: comma, isLarge }
      const isDue = !isLarge && (comma - start > PIECE || comma === to)
      if (isDue)
        yield { start: start === from && comma === to ? start : requireEntries(start, comma), end: comma, isLarge }
      if (isLarge || isDue) {
        start = comma + 1
        await giveWay()
      }
      if (comma === to) return
      entry = comma + 1
    }
  }

  /** Two commas in a row, or one at the end, are no JSON. */
  function requireEntries(start: number, end: number): number {
    if (skipSpace(bytes, start, end) < end) return start
    throw new SyntaxError('an entry is missing behind a comma')
  }

  const parseRun = (open: string, start: number, end: number, close: string) =>
    parse(Buffer.concat([Buffer.from(open), bytes.subarray(start, end), Buffer.from(close)]))

  return read(0, bytes.length)
}

function define(object: object, entries: readonly (readonly [name: string, value: unknown])[]): void {
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** The scan stops after each stretch, so that others get their turn. */
class CommaScan {
  readonly #bytes: Buffer
  readonly #to: number
  #at: number
  #depth = 0
  #inString = false

  constructor(bytes: Buffer, from: number, to: number) {
    this.#bytes = bytes
    this.#at = from
    this.#to = to
  }

  /** Gives the end behind the last comma, and nothing when the stretch is over first. */
  next(): number | undefined {
    const bytes = this.#bytes
    const until = Math.min(this.#to, this.#at + STRETCH)
    let [at, depth, inString] = [this.#at, this.#depth, this.#inString]
    let found: number | undefined
    while (at < until && found === undefined) {
      const byte = bytes[at]
      if (inString) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
      else if (byte === COMMA && depth === 0) found = at
      at++
    }
    ;[this.#at, this.#depth, this.#inString] = [at, depth, inString]
    return found ?? (at >= this.#to ? this.#to : undefined)
  }
}

function endOfName(bytes: Buffer, from: number, to: number): number {
  let at = skipSpace(bytes, from, to)
  if (bytes[at] !== QUOTE) throw new SyntaxError('a name must stand in quotes')
  for (at++; at < to && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  const colon = skipSpace(bytes, at + 1, to)
  if (bytes[colon] !== COLON) throw new SyntaxError('a colon is missing behind a name')
  return colon
}

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function skipSpace(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(bytes[at])) at++
  return at
}

function lastOf(bytes: Buffer, from: number, to: number): number {
  let at = to - 1
  while (at > from && isSpace(bytes[at])) at--
  return at
}
