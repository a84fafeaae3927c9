import { createReadStream } from 'node:fs'

const MB = 1024 * 1024
/** Maximum size of snapshots, cases, archives and fixture files. */
export const LARGEST_FILE = 256 * MB
/** Maximum size of profiles, certificates and keys. The control API has the same limit for profiles. */
export const LARGEST_SMALL_FILE = MB

/** Throws above `most` bytes, because a device file, for example, may be endless. */
export async function readInput(input: string | AsyncIterable<unknown>, most = LARGEST_FILE): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of typeof input === 'string' ? createReadStream(input) : input) {
    bytes += (chunk as Buffer).length
    if (bytes > most) throw new Error(`it is larger than ${most / MB} MB`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** The decoder removes the byte order mark that Windows editors write. */
export async function readInputText(...args: Parameters<typeof readInput>): Promise<string> {
  return new TextDecoder().decode(await readInput(...args))
}
