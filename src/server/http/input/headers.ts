import type { FastifyRequest } from 'fastify'

/** How often the sender gave a header: node joins or drops repeated ones before anybody can see them. */
export function countHeader({ raw }: Pick<FastifyRequest, 'raw'>, name: string): number {
  let count = 0
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const given = raw.rawHeaders[i]!
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}
