import { expect, test } from 'vitest'
import { asGuest, buildTestApp } from '../../../helpers/build-test-app.ts'

const zip = (zipCode: string) => ({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asGuest() })

async function fill(count: number) {
  const { app } = buildTestApp()
  for (let i = 0; i < count; i++) await app.inject(zip(String(10_001 + i)))
  return {
    app,
    ask: async (query: string) => {
      const reply = await app.inject(`/_control/journal?all=true&${query}`)
      return { status: reply.statusCode, ...reply.json() }
    },
  }
}

test('one instance alone answers for all, in the shape of many, and misses nobody', async () => {
  const { ask } = await fill(3)
  const { entries, totalCount, missing, next } = await ask('')
  expect([totalCount, missing, next]).toEqual([3, [], undefined])
  expect(entries.map(({ id }: { id: number }) => id)).toEqual([3, 2, 1])
  const names = new Set(entries.map(({ instance }: { instance: string }) => instance))
  expect([names.size, [...names][0]]).toEqual([1, expect.stringMatching(/^[\w.-]+-[\da-f]{8}$/)])
})

test('pages go on behind the last entry of the one before, also where the clock stands', async () => {
  const { ask } = await fill(7)
  const seen: number[] = []
  for (let cursor = ''; ; ) {
    const { entries, next, totalCount } = await ask(`limit=3${cursor}`)
    expect(totalCount).toBe(7)
    seen.push(...entries.map(({ id }: { id: number }) => id))
    if (next === undefined) break
    cursor = `&cursor=${next}`
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
})

test('filters count for all', async () => {
  const { ask } = await fill(3)
  expect(await ask('q=10002')).toMatchObject({ totalCount: 1, entries: [{ query: 'zipCode=10002' }] })
  expect(await ask('status=404&limit=1')).toMatchObject({ totalCount: 0, entries: [], missing: [] })
})

test('the newest by the clock of the world come first, wherever it was put meanwhile', async () => {
  const { app, ask } = await fill(2)
  await app.inject({ method: 'PUT', url: '/_control/clock', payload: { now: '2026-05-01T00:00:00Z', frozen: true } })
  await app.inject(zip('07660'))
  const { entries } = await ask('limit=3')
  expect(entries.map(({ id }: { id: number }) => id)).toEqual([2, 1, 3])
})

test.each([
  ['before=3', 'query.before'],
  ['offset=1', 'query.offset'],
  ['format=har', 'query.format'],
  ['cursor=3', 'query.cursor'],
  ['cursor=1-1-1-', 'query.cursor'],
])('%s, which is of one instance or no cursor, is refused', async (query, target) => {
  const { ask } = await fill(1)
  const { status, error } = await ask(query)
  expect([status, error.details[0].target]).toEqual([400, target])
})

test('a cursor without all is refused', async () => {
  const { app } = await fill(1)
  expect((await app.inject('/_control/journal?cursor=1-1-1-a')).statusCode).toBe(400)
  expect((await app.inject('/_control/journal?all=false')).json()).not.toHaveProperty('missing')
})
