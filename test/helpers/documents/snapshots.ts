import { collectionNames } from '../../../src/contract/records/collections.ts'

interface Line {
  collection?: string
  record?: object
  fault?: object
  digest?: string
  image?: string
}

/**
 * Splits a snapshot into parts, so that a test can change them: header, `faults`, `records` by collection, and `blobs`.
 */
export function readParts(text: string): ReturnType<typeof JSON.parse> {
  const [header, ...lines] = text.replace('{"end":true}\n', '').trimEnd().split('\n') as [string, ...string[]]
  const records: Record<string, object[]> = Object.fromEntries(collectionNames.map((name) => [name, []]))
  const [faults, blobs]: [object[], Record<string, string>] = [[], {}]
  for (const { collection, record, fault, digest, image } of lines.map((line) => JSON.parse(line) as Line)) {
    if (collection !== undefined) records[collection]!.push(record!)
    else if (fault) faults.push(fault)
    else blobs[digest!] = image!
  }
  return { ...(JSON.parse(header) as object), faults, records, blobs }
}

interface Parts {
  faults: readonly unknown[]
  records: Readonly<Record<string, readonly unknown[]>>
  blobs: Readonly<Record<string, string>>
}

export function writeParts({ faults, records, blobs, ...header }: Parts): string {
  const lines = [
    header,
    ...faults.map((fault) => ({ fault })),
    ...Object.entries(records).flatMap(([collection, list]) => list.map((record) => ({ collection, record }))),
    ...Object.entries(blobs).map(([digest, image]) => ({ digest, image })),
    { end: true },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Finds the first line of the snapshot that contains these words. Returns its position, such as `line 12`. */
export function lineOf(text: string, words: string): string {
  return `line ${text.split('\n').findIndex((line) => line.includes(words)) + 1}`
}
