import type { Snapshot } from '../../../contract/records/snapshot.ts'

const PIECE = 64 * 1024

/**
 * The format suits git: keys are ordered and each record has one line, so a change shows as its lines, and equal worlds
 * give equal bytes.
 */
export async function* writeSnapshot(snapshot: Snapshot, giveWay: () => Promise<void> | undefined) {
  let piece = ''
  for (const part of partsOf(snapshot)) {
    piece += part
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
    await giveWay()
  }
  yield piece
}

function* partsOf({ records, faults, blobs, ...rest }: Snapshot): Generator<string> {
  const parts: Record<string, Iterable<string>> = {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, [write(value)]])),
    faults: writeList(faults, '  '),
    records: writeObject(entriesOf(records), '  ', (list) => writeList(list, '    ')),
    // The engine gives them in order.
    blobs: writeObject(blobs, '  ', (value) => [write(value)]),
  }
  yield* writeObject(entriesOf(parts), '', (part) => part)
  yield '\n'
}

function* writeObject<T>(
  entries: Iterable<readonly [name: string, value: T]>,
  indent: string,
  writeValue: (value: T) => Iterable<string>,
): Generator<string> {
  let before = '{\n'
  for (const [name, value] of entries) {
    yield `${before}${indent}  ${write(name)}: `
    yield* writeValue(value)
    before = ',\n'
  }
  yield before === '{\n' ? '{}' : `\n${indent}}`
}

function* writeList(values: readonly unknown[], indent: string): Generator<string> {
  let before = '[\n'
  for (const value of values) {
    yield `${before}${indent}  ${write(value)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : `\n${indent}]`
}

function write(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? sortObject(each) : each))
}

function sortObject(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(entriesOf(object))
}

function entriesOf<T>(object: Readonly<Record<string, T>>): (readonly [name: string, value: T])[] {
  return Object.keys(object)
    .sort()
    .map((name) => [name, object[name]!])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
