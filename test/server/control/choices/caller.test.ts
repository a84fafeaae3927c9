import { expect, test } from 'vitest'
import { openWithChoices } from '../../../helpers/open-with-choices.ts'

const ask = async (
  { get }: Awaited<ReturnType<typeof openWithChoices>>,
  source: string,
  identity: Record<string, string> = {},
) => (await get('contact/reason', { 'request-source': source, ...identity })).statusCode

test.each([
  ['vendor.com', ['vendor.com'], ['www.vendor.com']],
  [['www.vendor.com', 'B2B, portal'], ['www.vendor.com', 'B2B, portal'], ['vendor.com']],
])(
  'with request-source-web set to %j, %j identifies the web site and %j is rejected',
  async (value, taken, refused) => {
    const world = await openWithChoices({ 'request-source-web': value })
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
])('the value %j of request-source-web is rejected', async (value, target) => {
  await expect(openWithChoices({ 'request-source-web': value })).rejects.toThrow(`body.choices.${target}`)
})
