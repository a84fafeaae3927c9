import type { Random } from '../ports/chance.ts'
import type { View } from '../ports/store.ts'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Crockford's Base32 alphabet, without letters that look like digits. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** With a million tickets, about one in ten thousand candidates is already in use. */
const CANDIDATES = 4

export async function newTenDigitIds(random: Random, kind: string): Promise<string[]> {
  const bytes = await random.bytes(kind, CANDIDATES * 8)
  return Array.from({ length: CANDIDATES }, (_, i) => {
    const number = new DataView(bytes.buffer, bytes.byteOffset + i * 8, 8).getBigUint64(0)
    return String(1_000_000_000n + (number % 9_000_000_000n))
  })
}

/** Must run in the transaction that uses the ID. */
export async function firstUnused(candidates: readonly string[], isTaken: (id: string) => Promise<boolean>) {
  for (const candidate of candidates) if (!(await isTaken(candidate))) return candidate
  throw new Error('could not generate a unique ID: all candidates are in use')
}

/** Generates IDs such as `A-7Q2M4K9TWX1Z0C5E` with 80 random bits. */
export async function newId(random: Random, kind: string, prefix: string): Promise<string> {
  const letters = Array.from(await random.bytes(kind, 16), (byte) => BASE32[byte % 32])
  return `${prefix}-${letters.join('')}`
}

export async function newUuid(random: Random, kind: string): Promise<string> {
  const bytes = Uint8Array.from(await random.bytes(kind, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Tokens of 24 letters and digits have more than 128 random bits. */
export async function newToken(random: Random, kind: string, length: number): Promise<string> {
  return toAlphanumeric(await random.bytes(kind, length * 2), length)
}

/** Uses two bytes per character, so that all characters have nearly the same probability (within 1 in 1,000). */
export function toAlphanumeric(bytes: Uint8Array, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) {
    const number = bytes[(2 * i) % bytes.length]! * 256 + bytes[(2 * i + 1) % bytes.length]!
    text += ALPHANUMERIC[number % ALPHANUMERIC.length]
  }
  return text
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Candidates that are generated before the transaction. The transaction uses the first one that is free. */
interface RequestIds {
  srids: readonly string[]
  ticketNumbers: readonly string[]
}

export async function newRequestIds(random: Random): Promise<RequestIds> {
  return { srids: await newTenDigitIds(random, 'srid'), ticketNumbers: await newTenDigitIds(random, 'ticketNumber') }
}

/** Dealer tickets and in-store requests share one ID range, so that each ID refers to only one request. */
export async function takeRequestIds(
  tx: View,
  { srids, ticketNumbers }: RequestIds,
): Promise<{ srid: string; ticketNumber: string }> {
  const isTaken = async (srid: string) => Boolean((await tx.tickets.get(srid)) ?? (await tx.inStoreRequests.get(srid)))
  const isNumberTaken = async (ticketNumber: string) =>
    (await tx.tickets.count({ ticketNumber })) + (await tx.inStoreRequests.count({ ticketNumber })) > 0
  return { srid: await firstUnused(srids, isTaken), ticketNumber: await firstUnused(ticketNumbers, isNumberTaken) }
}
