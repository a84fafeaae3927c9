import type { Snapshot } from '../schemas/snapshot.ts'

/**
 * A snapshot as made for git: keys in order, one record a line, so that a change shows as the lines it is and the same
 * world is the same bytes.
 */
export function writeSnapshot({ records, faults, blobs, ...rest }: Snapshot): string {
  const parts: Record<string, string> = {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, write(value)])),
    faults: writeList(faults, '  '),
    records: writeObject(records, (list) => writeList(list, '    ')),
    blobs: writeObject(blobs, write),
  }
  const lines = sortedKeys(parts).map((name) => `  ${write(name)}: ${parts[name]}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function writeObject<T>(object: Readonly<Record<string, T>>, writeValue: (value: T) => string): string {
  const lines = sortedKeys(object).map((name) => `    ${write(name)}: ${writeValue(object[name]!)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
}

function writeList(values: readonly unknown[], indent: string): string {
  if (values.length === 0) return '[]'
  return `[\n${values.map((value) => `${indent}  ${write(value)}`).join(',\n')}\n${indent}]`
}

function write(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? sortObject(each) : each))
}

function sortObject(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(sortedKeys(object).map((name) => [name, object[name]]))
}

function sortedKeys(object: object): string[] {
  return Object.keys(object).sort()
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
