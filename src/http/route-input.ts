import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import type { z } from 'zod'
import { compileInput } from './input.ts'

/** Checks the whole input of every route that declares zod schemas, before its handler. */
export function checkInputOfRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schema = (route.schema ?? {}) as Record<'params' | 'querystring' | 'body', z.ZodType | undefined>
    if (route.config?.judgesInput || (!schema.params && !schema.querystring && !schema.body)) return
    const parameters = route.config?.source ?? 'our choice'
    const check = compileInput(schema, { parameters, body: 'our choice' }, route.config?.invalidInput)
    const checkInput: preValidationHookHandler = (request, _reply, done) => {
      check(request)
      done()
    }
    route.preValidation = [checkInput, ...[route.preValidation ?? []].flat()]
  })
}
