import { expect, test } from 'vitest'
import { variationKinds } from '../../../src/contract/records/control/variation.ts'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'

const url = '/_control/variation'

test('PUT /_control/variation sets all kinds and the seed of the world by default', async () => {
  const { app } = buildTestApp({ seed: 'mine' })
  expect((await app.inject(url)).statusCode).toBe(404)
  expect((await app.inject({ method: 'PUT', url })).json()).toEqual({ seed: 'mine', kinds: variationKinds })
  const one = { seed: '7', kinds: ['sse-bom'] }
  expect((await app.inject({ method: 'PUT', url, payload: one })).json()).toEqual(one)
  expect((await app.inject(url)).json()).toEqual(one)
  expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await app.inject(url)).statusCode).toBe(404)
})

test('a variation with an unknown kind is rejected with the list of kinds', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject({ method: 'PUT', url, payload: { kinds: ['json-oder'] } })
  expect(reply.statusCode).toBe(400)
  expect(reply.payload).toContain('kinds[0]')
  for (const kind of variationKinds) expect(reply.payload).toContain(kind)
})

test('a world can be created with a variation, and resetting the world restarts the variation', async () => {
  const { app } = buildTestApp()
  const payload = { name: 'odd', seed: 's', variation: { kinds: ['json-extra'] } }
  expect((await app.inject({ method: 'POST', url: '/_control/worlds', payload })).statusCode).toBe(200)
  const read = async () => (await app.inject(`/w/odd${url}`)).json()
  expect(await read()).toEqual({ seed: 's', kinds: ['json-extra'] })
  const ask = async () =>
    (await app.inject({ url: '/w/odd/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })).payload
  const first = await ask()
  expect(first).toContain('further')
  expect(await ask()).not.toBe(first)
  await app.inject({ method: 'PUT', url: `/w/odd${url}`, payload: { kinds: ['json-space'] } })
  await app.inject({ method: 'POST', url: '/w/odd/_control/reset' })
  expect(await read()).toEqual({ seed: 's', kinds: ['json-extra'] })
  expect(await ask()).toBe(first)
})

test('a rewound world has the variation of its profile, and no variation that was set directly', async () => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/recordings', payload: {} })
  await app.inject({ method: 'PUT', url, payload: { kinds: ['json-space'] } })
  const profile = { profile: 'odd', variation: { kinds: ['json-order'] } }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload: profile })
  const payload = { name: 'before', from: 'default', at: 1 }
  expect((await app.inject({ method: 'POST', url: '/_control/worlds', payload })).statusCode).toBe(200)
  expect((await app.inject(`/w/before${url}`)).json()).toMatchObject(profile.variation)
})
