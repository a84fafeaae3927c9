import type { Dispatcher } from 'undici'
import type { ReplyBounds } from './bounded-reply.ts'
import type { OwnLinks } from './own-links.ts'

export interface Destination {
  origin: string
  dispatcher: Dispatcher
  headers: Readonly<Record<string, string>>
  /** Bounds hold for replies but not for event streams, which have no end. */
  bounds?: ReplyBounds | undefined
  links?: OwnLinks | undefined
}
