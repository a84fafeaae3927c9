import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Digests } from '#server/ports/chance.ts'

export const nodeDigests: Digests = {
  sha256: (content) => hash('sha256', content, 'hex'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest(),
  equal(a, b) {
    const [left, right] = [Buffer.from(a), Buffer.from(b)]
    return left.length === right.length && timingSafeEqual(left, right)
  },
}
