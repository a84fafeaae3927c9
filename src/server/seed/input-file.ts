import { createReadStream } from 'node:fs'

const MB = 1024 * 1024
/** Snapshots, cases, archives and files of fixtures. */
export const LARGEST_FILE = 256 * MB
/** Profiles, certificates and keys; a profile over the control API has the same limit. */
export const LARGEST_SMALL_FILE = MB

/** Reads a file or stream that the user names. Throws if it is larger than `most` bytes: a device has no end. */
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

/** Without the byte order mark that editors on Windows write. */
export async function readInputText(...args: Parameters<typeof readInput>): Promise<string> {
  return new TextDecoder().decode(await readInput(...args))
}
