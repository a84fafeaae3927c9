import { crc32 } from 'node:zlib'

/** A value as it lies on disk: the checksum of its key and text, then the text. */
export function packValue(key: Buffer, text: string): Buffer {
  const length = Buffer.byteLength(text)
  const packed = Buffer.allocUnsafe(4 + length)
  packed.write(text, 4)
  packed.writeUInt32LE(crc32(packed.subarray(4), crc32(key)), 0)
  return packed
}

/** The checksum a value carries. */
export const checksumOf = (packed: Buffer): number => packed.readUInt32LE(0)

/** The bytes of its text, not copied; nothing when it is not what was packed under this key. */
export function unpackValue(key: Buffer, packed: Buffer): Buffer | undefined {
  if (packed.length < 4) return undefined
  const text = packed.subarray(4)
  return crc32(text, crc32(key)) === packed.readUInt32LE(0) ? text : undefined
}
