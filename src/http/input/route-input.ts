import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { compileInput, type RouteInput } from './input.ts'

/**
 * Checks the whole input of every operation, and of every route that declares zod schemas. Operations that take none or
 * judge it themselves refuse poisoned names all the same.
 */
export function checkInputOfRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.operation === undefined && !takesInput(route.schema ?? {})) return
    const schema = route.config?.judgesInput ? {} : ((route.schema ?? {}) as RouteInput)
    const parameters = route.config?.source ?? 'our choice'
    const check = compileInput(schema, { parameters, body: 'our choice' }, route.config?.invalidInput)
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
