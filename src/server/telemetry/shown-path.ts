import type { FastifyRequest } from 'fastify'
import { REDACTED } from '#contract/records/secret-names.ts'
import { prefixOf } from '../http/addresses.ts'

/** A long part with a digit in an unknown path may be a key or a token. */
const LONG_PART = /\/(?=[^/]*\d)[^/]{20,}/g

/** The route, or the path where none matches. It has no query and no parameters. */
export function shownPath({ url, ports, notes: { route } }: FastifyRequest): string {
  return prefixOf(ports.world.name) + (route.url ?? url.split(/[?;]/, 1)[0]!.replace(LONG_PART, `/${REDACTED}`))
}
