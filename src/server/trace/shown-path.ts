import type { FastifyRequest } from 'fastify'
import { REDACTED, soundsSecret } from '../../contract/records/secret-names.ts'
import { prefixOf } from '../http/addresses.ts'
import { redactPath } from './redaction.ts'

/** A long part with a digit in an unknown path may be a key or a token. */
const LONG_PART = /\/(?=[^/]*\d)[^/]{20,}/g

/** Of our own parameters only UUIDs are as long as a key. */
const LONG = /^(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$).{20}/is

/** Logs show no query and no parameter that may be a key or a token. */
export function shownPath(request: FastifyRequest): string {
  const { url: pattern } = request.notes.route
  const prefix = prefixOf(request.ports.world.name)
  if (pattern === undefined)
    return prefix + redactPath(request.url.split('?', 1)[0]!).replace(LONG_PART, `/${REDACTED}`)
  if (!pattern.includes(':')) return prefix + pattern
  const given = (request.params ?? {}) as Readonly<Record<string, string>>
  return (
    prefix +
    pattern.replace(/:(\w+)/g, (name, key: string) => {
      const value = given[key]
      return soundsSecret(key) || value === undefined ? name : LONG.test(value) ? REDACTED : value
    })
  )
}
