import type { FastifyRequest } from 'fastify'
import { describeIgnored } from '#contract/records/nearest.ts'

/** Node joins or drops repeated headers, so the number is determined from the raw headers. */
export function countHeader({ raw }: Pick<FastifyRequest, 'raw'>, name: string): number {
  let count = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const given = raw.rawHeaders[i]!
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}

/** Completes a message about a missing header with the most similar header that was sent. */
export function describeIgnoredHeader({ headers }: Pick<FastifyRequest, 'headers'>, missing: string): string {
  return describeIgnored(
    missing,
    Object.keys(headers).filter((name) => name !== missing),
  )
}

/** If the program sets no type, Java's HttpURLConnection sends a value that starts like this. */
const ACCEPT_OF_JAVA = /^text\/html, image\/gif, image\/jpeg, \*/

/** Returns the `Accept` header. The default value that JDKs send counts as no preference. */
export function acceptOf({ headers: { accept = '' } }: Pick<FastifyRequest, 'headers'>): string {
  return ACCEPT_OF_JAVA.test(accept) ? '*/*' : accept
}
