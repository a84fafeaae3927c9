import type { Scalar } from '#server/ports/store.ts'

/** Sorts by UTF-16 code units like memory, which no collation does. Text columns reject NUL and lone surrogates. */
export function toBytes(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

export function toEqual(value: unknown): Buffer | null {
  return value === undefined || value === null ? null : toBytes(String(value as Scalar))
}

const ABSENT = Buffer.from([0])
const NUMBER = 1
const TEXT = 2

export function toOrder(value: unknown): Buffer {
  if (value === undefined || value === null) return ABSENT
  if (typeof value === 'number') return Buffer.concat([Buffer.from([NUMBER]), toOrderedBytes(value)])
  return Buffer.concat([Buffer.from([TEXT]), toBytes(String(value))])
}

/** Flips the sign bit of positive numbers and all bits of negative numbers, so that the bytes sort like the numbers. */
function toOrderedBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  if (value < 0) for (let i = 0; i < 8; i++) bytes[i]! ^= 0xff
  else bytes[0]! ^= 0x80
  return bytes
}
