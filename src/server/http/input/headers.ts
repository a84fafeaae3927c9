import type { FastifyRequest } from 'fastify'

/** Node joins or drops repeated headers before anybody can see them, so the raw ones are counted. */
export function countHeader({ raw }: Pick<FastifyRequest, 'raw'>, name: string): number {
  let count = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const given = raw.rawHeaders[i]!
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}
