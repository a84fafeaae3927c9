import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const PIECE = 1024 * 1024
const KIND = 'crc32'

/**
 * What a file is known by: its size, and the checksum of each piece. Against damage, not against people: whoever can
 * change the file can change this too, and a start has no time to lose on more.
 */
export async function digestOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const sums: string[] = []
    let size = 0
    const read = (buffer: Buffer) => file.read(buffer, 0, PIECE, size)
    const buffers = [Buffer.allocUnsafeSlow(PIECE), Buffer.allocUnsafeSlow(PIECE)] as const
    for (let next = read(buffers[0]); ; ) {
      const { bytesRead, buffer } = await next
      if (bytesRead === 0) return `${KIND} ${sums.join(' ')} ${size}\n`
      size += bytesRead
      // The next piece is on its way while this one is gone through.
      next = read(buffer === buffers[0] ? buffers[1] : buffers[0])
      sums.push(crc32(buffer.subarray(0, bytesRead)).toString(16))
    }
  } finally {
    await file.close()
  }
}

/** Whether it was made by `digestOf`; older servers had another. */
export const isDigest = (text: string): boolean => text.startsWith(`${KIND} `)
