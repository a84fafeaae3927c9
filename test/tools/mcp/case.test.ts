import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'cases' })
})
afterAll(() => cloud.stop())

test('the tool case shows that the recording ended when its world was reset', async () => {
  const world = await cloud.world()
  const { call } = await connectAgent(overHttp(world.url))
  await call('case', { action: 'record' })
  await call('call', { operation: 16 })
  await call('world', { action: 'reset' })
  const expected = { world: world.name, recording: false, ended: 'the world was reset or restored', steps: 1 }
  expect((await call('case')).value).toEqual(expected)
  expect((await call('case', { action: 'save' })).value).toMatchObject(expected)
  expect((await call('case', { action: 'record' })).value).toMatchObject({ recording: true, steps: 0 })
})

test('over HTTP, a case above the size limit is not returned or processed', async () => {
  const world = await cloud.world({ name: 'long', record: true })
  const { call } = await connectAgent(overHttp(world.url))
  const body = JSON.stringify({ rating: 5, comment: 'fine', further: 'x'.repeat(600_000) })
  const headers = { 'request-source': 'vendor.com', 'content-type': 'application/json' }
  const send = () => fetch(`${world.url}/stg/us/guest/customerFeedback`, { method: 'POST', headers, body })
  expect((await send()).status).toBe(200)
  expect((await call('case', { action: 'replay' })).value).toMatchObject({ same: true })
  expect((await send()).status).toBe(200)
  for (const action of ['save', 'replay', 'shrink', 'show']) {
    const { isError, text } = await call('case', { action })
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/1\.2 MB.* \S+\/w\/long\/_control\/recordings\/current/),
    ])
  }
  expect((await call('case')).value).toMatchObject({ recording: true, steps: 2 })
})

test('shrink keeps the last response of a case that ends with a move of the clock', async () => {
  const world = await cloud.world()
  const { call } = await connectAgent(overHttp(world.url))
  await call('case', { action: 'record' })
  await call('call', { operation: 16 })
  await call('call', { operation: 30, query: { zipCode: '07660' } })
  await call('time', { action: 'advance', duration: 'PT1H' })
  expect((await call('case', { action: 'shrink' })).value).toMatchObject({
    target: 'GET /stg/us/guest/zipCode?zipCode=07660 200',
    steps: 1,
    next: expect.stringMatching(/^no file was written/),
  })
  const { text } = await call('case', { action: 'shrink', step: 3 })
  expect(text).toBe('the case cannot be shrunk: step 3 has no response that a replay compares')
})
