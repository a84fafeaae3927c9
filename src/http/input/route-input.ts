import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { compileInput, type RouteInput } from './input.ts'

/**
 * Checks the whole input of every operation, and of every route that declares zod schemas. Operations that take none or
 * judge it themselves refuse poisoned names all the same.
 */
export function checkInputOfRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.operation === undefined && !takesInput(route.schema ?? {})) return
    const judgesInput = route.config?.judgesInput === true
    const schema = judgesInput ? {} : ((route.schema ?? {}) as RouteInput)
    // The documents' clients may send more than is known; who steers the server has mistyped.
    const judgesQuery = judgesInput && 'querystring' in (route.schema ?? {})
    const knownOnly = route.url.startsWith('/_control/') && !judgesQuery
    const parameters = route.config?.source ?? 'our choice'
    const sources = { parameters, body: 'our choice' }
    const check = compileInput(schema, sources, { summary: route.config?.invalidInput, knownOnly })
    const checkInput: preValidationHookHandler = (request, _reply, done) => {
      check(request)
      done()
    }
    route.preValidation = [checkInput, ...[route.preValidation ?? []].flat()]
  })
}

function takesInput(schema: object): boolean {
  return ['params', 'querystring', 'body'].some((part) => part in schema)
}
