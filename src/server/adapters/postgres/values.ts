import type { Scalar } from '../../ports/store.ts'

/**
 * A text in the bytes by which the database orders it as memory does: by UTF-16 code units, which its own orders don't
 * know. NUL and half pairs, which its texts don't take, are bytes like others.
 */
export function toBytes(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

export function toEqual(value: unknown): Buffer | null {
  return value === undefined || value === null ? null : toBytes(String(value as Scalar))
}

const ABSENT = Buffer.from([0])
const NUMBER = 1
const TEXT = 2

/** A value to be ordered by: absent ones come first. */
export function toOrder(value: unknown): Buffer {
  if (value === undefined || value === null) return ABSENT
  if (typeof value === 'number') return Buffer.concat([Buffer.from([NUMBER]), toOrderedBytes(value)])
  return Buffer.concat([Buffer.from([TEXT]), toBytes(String(value))])
}

/** The sign is turned round, and with it the bits of negative numbers, so that bytes compare as numbers do. */
function toOrderedBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  if (value < 0) for (let i = 0; i < 8; i++) bytes[i]! ^= 0xff
  else bytes[0]! ^= 0x80
  return bytes
}
