import { expect, test } from 'vitest'
import { bend } from '../../../helpers/bent-world.ts'

const ask = async ({ get }: Awaited<ReturnType<typeof bend>>, source: string, identity: Record<string, string> = {}) =>
  (await get('contact/reason', { 'request-source': source, ...identity })).statusCode

test.each([
  ['vendor.com', ['vendor.com'], ['www.vendor.com']],
  [['www.vendor.com', 'B2B, portal'], ['www.vendor.com', 'B2B, portal'], ['vendor.com']],
])(
  'request-source-web %j: the web site is known by %j and not by %j, the apps as ever',
  async (value, taken, refused) => {
    const world = await bend({ 'request-source-web': value })
    for (const source of taken) expect(await ask(world, source, { 'vendorus-profId': 'web-alice' })).toBe(200)
    for (const source of taken) expect(await ask(world, source, { 'vendorus-GUID': 'web-alice' })).toBe(401)
    for (const source of refused) expect(await ask(world, source, { 'vendorus-profId': 'web-alice' })).toBe(400)
    for (const source of ['splus', 'voyager']) expect(await ask(world, source, { 'vendorus-GUID': 'x' })).toBe(200)
    const { body } = await world.app.inject('/cancel?srid=1&key=2')
    expect(body).toContain(`data-source="${taken[0]}"`)
  },
)

test.each([
  [['splus'], 'request-source-web[0]'],
  [[], 'request-source-web'],
  [['a\n'], 'request-source-web[0]'],
  [Array.from({ length: 21 }, (_, i) => `s${i}`), 'request-source-web'],
])('request-source-web %j is refused', async (value, target) => {
  await expect(bend({ 'request-source-web': value })).rejects.toThrow(`body.choices.${target}`)
})

const odd = 'CN=Ann O\'Hara; {"id": 7}'
test.each([
  ['plain', odd, 401, 400],
  ['any', odd, 200, 404],
  ['any', 'x'.repeat(512), 200, 404],
  ['any', 'x'.repeat(513), 401, 400],
])(
  'identity-form %s: %j is answered %i by the header and %i by prof_id of 23',
  async (value, identity, header, query) => {
    const { app, ...world } = await bend({ 'identity-form': value })
    expect(await ask({ app, ...world }, 'vendor.com', { 'vendorus-profId': identity })).toBe(header)
    const url = `/stg/us/guest/product/validation?prdId=x&modelCode=VM-NONE&prof_id=${encodeURIComponent(identity)}`
    const reply = await app.inject({ method: 'POST', url, headers: { 'request-source': 'splus' } })
    expect(reply.statusCode === 400).toBe(query === 400)
  },
)

test('identity-form any: a record may be of any such caller, who is known by it', async () => {
  const { app, get } = await bend({ 'identity-form': 'any' })
  const userId = `profile:${odd}`
  const payload = { userId, firstName: 'A', lastName: 'B', email: 'a@example.com', companyId: 'C100' }
  const url = `/_control/records/profiles/${encodeURIComponent(userId)}`
  expect((await app.inject({ method: 'PUT', url, payload })).statusCode).toBeLessThan(300)
  const reply = await get('dealer/stores', { 'request-source': 'vendor.com', 'vendorus-profId': odd })
  expect(reply.statusCode).toBe(200)
})
