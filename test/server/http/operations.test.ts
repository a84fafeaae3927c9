import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineOperations } from '../../../src/contract/operation.ts'
import type { Anonymous, Dealer, Guest, User } from '../../../src/server/domain/identity.ts'
import { type Scope, toOperations } from '../../../src/server/http/operations.ts'
import { readSources } from '../../helpers/modules.ts'

const SRC = join(import.meta.dirname, '../../../src')
const sources = readSources(SRC)

/** `tsc` checks this file. It reports an error if an expected error does not occur. */
test("an operation compiles only in a scope that provides the operation's kind of caller", () => {
  const heading = { scope: 'test', tag: 'Test' }
  const ofDealer = defineOperations(heading, { 5: { route: 'GET /dealers', reply: z.string() } })
  const [dealers] = toOperations<Dealer, typeof ofDealer>(ofDealer, { 5: async ({ caller }) => caller.companyId })
  const ofGuest = defineOperations(heading, {
    30: { route: 'GET /guests', query: z.object({ zipCode: z.string() }), reply: z.string().optional() },
  })
  const [guests] = toOperations<Guest, typeof ofGuest>(ofGuest, {
    30: async ({ caller, query }) => caller.userId ?? query.zipCode,
  })
  if (!dealers || !guests) throw new Error('each contract has one operation')
  const ofDealers: Scope<Dealer>['operations'] = [dealers, guests]
  const ofUsers: Scope<User>['operations'] = [
    guests,
    // @ts-expect-error A user has no company.
    dealers,
  ]
  const ofGuests: Scope<Guest>['operations'] = [
    guests,
    // @ts-expect-error A guest has no company.
    dealers,
  ]
  const ofAnybody: Scope<Anonymous>['operations'] = [
    guests,
    // @ts-expect-error A caller whose identity is ignored has no company.
    dealers,
  ]
  expect([ofDealers, ofUsers, ofGuests, ofAnybody].flat()).toHaveLength(8)
})

test('code with undeclared input, an undeclared response or a missing handler does not compile', () => {
  const reply = z.object({ found: z.boolean() })
  const contracts = defineOperations(
    { scope: 'test', tag: 'Test' },
    {
      asked: { route: 'GET /asked', query: z.object({ zipCode: z.string() }), reply },
      answered: { route: 'GET /answered', reply },
      empty: { route: 'GET /empty', reply, otherStatuses: [204] },
    },
  )
  const operations = toOperations<Guest, typeof contracts>(contracts, {
    // @ts-expect-error The query has no modelCode.
    asked: async ({ query }) => ({ found: query.modelCode === '' }),
    // @ts-expect-error An empty response is not allowed if 204 is not declared.
    answered: async () => undefined,
    empty: async () => undefined,
  })
  const { asked, answered } = { asked: async () => ({ found: true }), answered: async () => ({ found: true }) }
  // @ts-expect-error There is no handler for `empty`.
  const lacking = toOperations<Guest, typeof contracts>(contracts, { asked, answered })
  expect([...operations, ...lacking]).toHaveLength(6)
})

test('only openapi/routes.ts uses the onRoute hook, and it does not change routes', () => {
  const listening = sources.filter(({ text }) => text.includes('onRoute')).map(({ path }) => path)
  expect(listening).toEqual(['server/http/openapi/routes.ts'])
  expect(readFileSync(join(SRC, 'server/http/openapi/routes.ts'), 'utf8')).not.toMatch(/route\.\w+ =/)
})

test('all request hooks are in pipeline.ts, except those for the API description pages', () => {
  const hooked = /addHook\('(?:onRequest|onSend|pre(?!Close))/
  const files = sources.filter(({ path, text }) => /^server\/(http\/|pipeline)/.test(path) && hooked.test(text))
  // docs.ts has its own hook, because pages of any origin may read the files that describe the APIs.
  expect(files.map(({ path }) => path).toSorted()).toEqual(['server/http/pages/docs.ts', 'server/pipeline.ts'])
})

test('the request hooks are listed in execution order, and operations add no other hooks', () => {
  const pipeline = readFileSync(join(SRC, 'server/pipeline.ts'), 'utf8')
  const phases = [...pipeline.matchAll(/addHook\('(\w+)'/g)].map(([, phase]) => phase!)
  const order = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend']
  expect(phases.length).toBeGreaterThan(10)
  expect(phases).toEqual(phases.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  const ownHook = /\b(?:onRequest|pre(?:Parsing|Validation|Handler|Serialization)|onSend):/
  // This hook responds with 405 in the error format of each document.
  expect(sources.filter(({ text }) => ownHook.test(text)).map(({ path }) => path)).toEqual([
    'server/http/unknown-paths.ts',
  ])
})

test('the source code does not use `as unknown as`', () => {
  const casting = sources.filter(({ text }) => /\bas unknown as\b (?!any|one)/.test(text)).map(({ path }) => path)
  expect(casting).toEqual([])
})
