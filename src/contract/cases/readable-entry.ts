import { z } from 'zod'
import { type ArchivedEntry, archivedEntry } from './http-archive.ts'

/** The message names a place and shows no value, since an archive may hold secrets. */
export class UnusableEntry extends Error {}

const addressed = z.object({ request: archivedEntry.shape.request.pick({ method: true, url: true }) })
const hasTokens = archivedEntry.pick({ _tokens: true })

export function readEntry(given: unknown): ArchivedEntry {
  return readAs(archivedEntry, given)
}

/** Such an entry may have no other readable part. */
export function readTarget(given: unknown): { method: string; url: string } {
  return readAs(addressed, given).request
}

export function readTokens(given: unknown): readonly string[] {
  const { _tokens: tokens = [] } = hasTokens.safeParse(given).data ?? {}
  return tokens
}

function readAs<T>(schema: z.ZodType<T>, given: unknown): T {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  const place = path.filter((each) => typeof each === 'string').join('.') || 'entry'
  throw new UnusableEntry(message.endsWith('received undefined') ? `no ${place}` : `${place}: ${message}`)
}
