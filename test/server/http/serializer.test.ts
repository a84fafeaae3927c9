import { expect, test } from 'vitest'
import { z } from 'zod'
import { serializerCompiler } from '../../../src/server/http/zod.ts'

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
const serialize = serializerCompiler({ schema, method: 'GET', url: '/' } as never)
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

test('a value that may be null is answered as it is', () => {
  for (const union of [full.union, 7, 'text']) {
    const value = { ...full, list: [...full.list], union }
    expect(answer(value)).toEqual(value)
  }
  const nothing = { text: null, number: null, flag: null, list: null, inner: null, union: null, fixed: null }
  expect(answer(nothing)).toEqual(nothing)
  const { number: _, ...without } = nothing
  expect(answer(without)).toEqual(without)
})

test('fields of ours are left out of what may be null too', () => {
  const given = { ...full, list: [], inner: { ...full.inner, secret: 1 }, secret: 2 }
  expect(answer(given)).toEqual({ ...full, list: [] })
})

test('a value of one of several simple types is answered as it is', () => {
  const simple = z.object({ either: z.union([z.int(), z.string(), z.boolean()]).optional() })
  const write = serializerCompiler({ schema: simple, method: 'GET', url: '/' } as never)
  for (const value of [{ either: 7 }, { either: '7' }, { either: '' }, { either: false }, {}]) {
    expect(JSON.parse(write(value))).toEqual(value)
  }
})
