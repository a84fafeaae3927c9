import { expect, test } from 'vitest'
import * as z from 'zod'
import { createSerializerCompiler } from '../../../src/server/http/zod.ts'

const inner = z.object({ name: z.string().nullable(), kind: z.enum(['A', 'B']).nullable() })
const schema = z.object({
  text: z.string().nullable(),
  number: z.int().nullable().optional(),
  flag: z.boolean().nullable(),
  list: z.array(inner).nullable(),
  inner: inner.nullable(),
  union: z.union([z.string(), z.int(), inner]).nullable(),
  fixed: z.literal('x').nullable(),
})
const compile = (schema: z.ZodType) => createSerializerCompiler()({ schema, method: 'GET', url: '/' } as never)
const serialize = compile(schema)
const answer = (value: z.input<typeof schema>) => JSON.parse(serialize(value)) as unknown

const full = {
  text: 'a "b" \u2028',
  number: 0,
  flag: false,
  list: [
    { name: 'n', kind: 'A' },
    { name: null, kind: null },
  ],
  inner: { name: '', kind: 'B' },
  union: { name: null, kind: null },
  fixed: 'x',
} as const

test('nullable values are serialized unchanged', () => {
  for (const union of [full.union, 7, 'text']) {
    const value = { ...full, list: [...full.list], union }
    expect(answer(value)).toEqual(value)
  }
  const nothing = { text: null, number: null, flag: null, list: null, inner: null, union: null, fixed: null }
  expect(answer(nothing)).toEqual(nothing)
  const { number: _, ...without } = nothing
  expect(answer(without)).toEqual(without)
})

test('undeclared fields are omitted from objects, including nullable ones', () => {
  const given = { ...full, list: [], inner: { ...full.inner, secret: 1 }, secret: 2 }
  expect(answer(given)).toEqual({ ...full, list: [] })
})

test('a field that allows several simple types is serialized unchanged', () => {
  const simple = z.object({ either: z.union([z.int(), z.string(), z.boolean()]).optional() })
  const write = compile(simple)
  for (const value of [{ either: 7 }, { either: '7' }, { either: '' }, { either: false }, {}]) {
    expect(JSON.parse(write(value))).toEqual(value)
  }
})

test('records on a page are written without undeclared fields, and only frozen records are cached', () => {
  const write = compile(z.object({ items: z.array(z.object({ name: z.string() })), totalCount: z.int() }))
  const [frozen, open] = [Object.freeze({ name: 'a', secret: 1 }), { name: 'b', secret: 2 }]
  const page = { items: [frozen, open], totalCount: 2, secret: 3 }
  expect(write(page)).toBe('{"items":[{"name":"a"},{"name":"b"}],"totalCount":2}')
  open.name = 'c'
  expect(write(page)).toBe('{"items":[{"name":"a"},{"name":"c"}],"totalCount":2}')
  expect(write({ items: [], totalCount: 0 })).toBe('{"items":[],"totalCount":0}')
})

test('a record on pages with two different schemas is written according to each schema', () => {
  const pageOf = (item: z.ZodType) => compile(z.object({ items: z.array(item), totalCount: z.int() }))
  const [writeNames, writeAges] = [pageOf(z.object({ name: z.string() })), pageOf(z.object({ age: z.int() }))]
  const page = { items: [Object.freeze({ name: 'a', age: 7 })], totalCount: 1 }
  expect(writeNames(page)).toBe('{"items":[{"name":"a"}],"totalCount":1}')
  expect(writeAges(page)).toBe('{"items":[{"age":7}],"totalCount":1}')
})

test('pages larger than the cache are written completely', () => {
  const write = compile(z.object({ items: z.array(z.object({ name: z.string() })), totalCount: z.int() }))
  const items = Array.from({ length: 40 }, (_, i) => Object.freeze({ name: String(i % 10).repeat(1024 * 1024) }))
  for (const item of [...items, items[0]!, items[39]!]) {
    expect(write({ items: [item], totalCount: 1 }) === `{"items":[{"name":"${item.name}"}],"totalCount":1}`).toBe(true)
  }
})
