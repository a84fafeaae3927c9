import type { onRequestHookHandler } from 'fastify'
import { DomainError, notFound } from '../domain/errors.ts'
import { DEFAULT_WORLD, type Worlds } from '../ports.ts'
import { countHeader } from './input/request-rules.ts'
import { worldNameOf } from './world-path.ts'

/** Gives the request the ports of its world; refuses one whose world, protocol or Host is not to be known. */
export function enterWorld(worlds: Worlds): onRequestHookHandler {
  return (request, _reply, done) => {
    const name = worldNameOf(request.raw)
    const ports = worlds.find(name)
    // A refusal too needs a world to be answered in.
    request.ports = ports ?? worlds.find(DEFAULT_WORLD)!
    if (request.raw.httpVersionMajor !== 1) throw new DomainError('malformed', 'only HTTP/1.0 and HTTP/1.1 are taken')
    if (countHeader(request, 'host') > 1) throw new DomainError('malformed', 'the Host header is given more than once')
    if (ports) return done()
    worlds.look(name).then((found) => {
      if (!found) return done(unknownWorld())
      request.ports = found
      return done()
    }, done)
  }
}

function unknownWorld(): DomainError {
  const message = 'no world of this name; POST /_control/worlds makes one'
  return notFound(message)
}
