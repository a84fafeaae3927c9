import type { IncomingMessage } from 'node:http'
import type { Worlds } from '../ports/worlds.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { worldNameOf } from './addresses.ts'

/** Uses the client's request ID if it contains only plain characters. Otherwise, the world assigns a number. */
export function createRequestIds(worlds: Worlds) {
  return (request: IncomingMessage): string => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
    const ports = worlds.find(worldNameOf(request)) ?? worlds.find(DEFAULT_WORLD)!
    return `req-${(++ports.state.requestCount).toString(36)}`
  }
}
