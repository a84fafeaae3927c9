import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Worlds } from '../ports/worlds.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { REDACTED } from '#contract/records/secret-names.ts'
import { worldNameOf } from './addresses.ts'

/** A plain id of the client is taken; otherwise each world counts its own. */
export function createRequestIds(worlds: Worlds) {
  return (request: IncomingMessage): string => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
    const ports = worlds.find(worldNameOf(request)) ?? worlds.find(DEFAULT_WORLD)!
    return `req-${(++ports.state.requestCount).toString(36)}`
  }
}

const LONG = /[A-Za-z\d]{20}/
/** Our tokens and keys are drawn as letters of both cases with digits; a stream's key is hexadecimal. */
const DRAWN = /(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z\d]{20,}/g
const STREAM_KEY = /[\da-f]{32}/g
/** So many letters of a secret tell one request from another, and open nothing. */
const SHOWN = 6

/** A log goes to more people than a reply, so a secret that came as an id is cut there. */
export function shownRequestId({ id, ports }: Pick<FastifyRequest, 'id' | 'ports'>): string {
  if (!LONG.test(id)) return id
  const { streamKeys } = ports.state
  return id.replace(DRAWN, cut).replace(STREAM_KEY, (word) => (streamKeys.has(word) ? cut(word) : word))
}

const cut = (secret: string) => `${secret.slice(0, SHOWN)}${REDACTED}`
