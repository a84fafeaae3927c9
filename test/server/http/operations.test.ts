import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Anonymous, Dealer, Guest, User } from '../../../src/server/domain/identity.ts'
import { operationsOf, type Scope } from '../../../src/server/http/operations.ts'
import { readSources } from '../../helpers/rooms.ts'

const SRC = join(import.meta.dirname, '../../../src')
const sources = readSources(SRC)

/** What `tsc` checks when it reads this file: an expected error that does not come is an error itself. */
test('an operation compiles only in a scope whose callers are what it needs', () => {
  const dealers = operationsOf<Dealer>('Test')({
    operation: 5,
    route: 'GET /dealers',
    reply: z.string(),
    run: async ({ caller }) => caller.companyId,
  })
  const guests = operationsOf<Guest>('Test')({
    operation: 30,
    route: 'GET /guests',
    query: z.object({ zipCode: z.string() }),
    reply: z.string().optional(),
    run: async ({ caller, query }) => caller.userId ?? query.zipCode,
  })
  const ofDealers: Scope<Dealer>['operations'] = [dealers, guests]
  const ofUsers: Scope<User>['operations'] = [
    guests,
    // @ts-expect-error A user has no company.
    dealers,
  ]
  const ofGuests: Scope<Guest>['operations'] = [
    guests,
    // @ts-expect-error Nor has a guest.
    dealers,
  ]
  const ofAnybody: Scope<Anonymous>['operations'] = [
    guests,
    // @ts-expect-error Nor has somebody whose identity is ignored.
    dealers,
  ]
  expect([ofDealers, ofUsers, ofGuests, ofAnybody].flat()).toHaveLength(8)
})

test('input that no schema declares, and a reply that is not the declared one, do not compile', () => {
  const declare = operationsOf<Guest>('Test')
  const common = { route: 'GET /test', reply: z.object({ found: z.boolean() }) } as const
  const asked = declare({
    ...common,
    query: z.object({ zipCode: z.string() }),
    // @ts-expect-error The query has no modelCode.
    run: async ({ query }) => ({ found: query.modelCode === '' }),
  })
  const answered = declare({
    ...common,
    // @ts-expect-error Nothing is no answer where 204 is not declared.
    run: async () => undefined,
  })
  const empty = declare({ ...common, further: [204], run: async () => undefined })
  expect([asked, answered, empty]).toHaveLength(3)
})

test('no file but the list of routes listens to routes, and nothing rewrites their hooks', () => {
  const listening = sources.filter(({ text }) => text.includes('onRoute')).map(({ path }) => path)
  expect(listening).toEqual(['server/http/openapi/routes.ts'])
  expect(readFileSync(join(SRC, 'server/http/openapi/routes.ts'), 'utf8')).not.toMatch(/route\.\w+ =/)
})

test('the stations of every request stand in one file', () => {
  const hooked = /addHook\('(?:onRequest|onSend|pre(?!Close))/
  const files = sources.filter(({ path, text }) => /^server\/(http\/|pipeline)/.test(path) && hooked.test(text))
  // The files that describe the interfaces are open to pages of any origin.
  expect(files.map(({ path }) => path).toSorted()).toEqual(['server/http/pages/docs.ts', 'server/pipeline.ts'])
})

test('the list of stations reads in the order in which a request passes them, and no operation has others', () => {
  const pipeline = readFileSync(join(SRC, 'server/pipeline.ts'), 'utf8')
  const phases = [...pipeline.matchAll(/addHook\('(\w+)'/g)].map(([, phase]) => phase!)
  const order = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend']
  expect(phases.length).toBeGreaterThan(10)
  expect(phases).toEqual(phases.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  const ownHook = /\b(?:onRequest|pre(?:Parsing|Validation|Handler|Serialization)|onSend):/
  // 405 in a document's own dialect.
  expect(sources.filter(({ text }) => ownHook.test(text)).map(({ path }) => path)).toEqual([
    'server/http/known-paths.ts',
  ])
})

test('no value is called something else than it is: `as unknown as` stands nowhere', () => {
  const casting = sources.filter(({ text }) => /\bas unknown as\b (?!any|one)/.test(text)).map(({ path }) => path)
  expect(casting).toEqual([])
})
