import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import type { z } from 'zod'
import { compileInput } from './input.ts'

/** Checks the whole input of document 1's operations, and of every route that declares zod schemas. */
export function checkInputOfRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schema = (route.schema ?? {}) as Record<'params' | 'querystring' | 'body', z.ZodType | undefined>
    if (route.config?.judgesInput || !takesInput(route.config?.operation, schema)) return
    const parameters = route.config?.source ?? 'our choice'
    const check = compileInput(schema, { parameters, body: 'our choice' }, route.config?.invalidInput)
    const checkInput: preValidationHookHandler = (request, _reply, done) => {
      check(request)
      done()
    }
    route.preValidation = [checkInput, ...[route.preValidation ?? []].flat()]
  })
}

/** Operations without parameters refuse poisoned ones all the same. */
function takesInput(operation: number | string | undefined, schema: object): boolean {
  return typeof operation === 'number' || ['params', 'querystring', 'body'].some((part) => part in schema)
}
