import type { FastifyRequest } from 'fastify'

/** Node joins or drops repeated headers, so the raw headers are counted. */
export function countHeader({ raw }: Pick<FastifyRequest, 'raw'>, name: string): number {
  let count = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const given = raw.rawHeaders[i]!
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}

/** Java's HttpURLConnection sends one of two variants of this value if the program sets no type. */
const ACCEPT_OF_JAVA = /^text\/html, image\/gif, image\/jpeg, \*/

/** Returns the `Accept` header. The default value of JDKs counts as no preference. */
export function acceptOf({ headers: { accept = '' } }: Pick<FastifyRequest, 'headers'>): string {
  return ACCEPT_OF_JAVA.test(accept) ? '*/*' : accept
}
