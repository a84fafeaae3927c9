import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectVendorCloud, startVendorCloud, type VendorCloudOptions } from '../src/index.ts'

async function start(options: VendorCloudOptions = {}) {
  const cloud = await startVendorCloud(options)
  onTestFinished(() => cloud.stop())
  return cloud
}

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const lookUp = (url: string) =>
  fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })

test('a server starts on a free port, is seen and steered from code, and stops', async () => {
  const cloud = await startVendorCloud({ seed: 'library' })
  await cloud.clock.freeze('2026-05-06T16:00:00Z')
  await cloud.faults.add({ match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  expect([(await lookUp(cloud.url)).status, (await lookUp(cloud.url)).status]).toEqual([503, 200])
  expect(await cloud.verify({ operation: 30 }, { count: 2 })).toMatchObject({ matched: true })
  expect((await cloud.journal({ operation: 30, status: 503 })).length).toBe(1)
  expect(await cloud.clock.advance('P31D')).toMatchObject({ now: '2026-06-06T16:00:00.000Z', frozen: true })
  const event = await cloud.events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value: 'on' })
  expect(event).toMatchObject({ deviceId: LIGHT, value: 'on' })
  await cloud.stop()
  await expect(lookUp(cloud.url)).rejects.toThrow('fetch failed')
})

test('worlds are made, addressed by their own url, and never meet', async () => {
  const cloud = await start()
  const [one, two] = await Promise.all([cloud.world(), cloud.world({ now: '2030-01-01T00:00:00Z' })])
  await one.faults.add({ match: { operation: 30 }, respond: { status: 503 } })
  expect((await lookUp(one.url)).status).toBe(503)
  expect((await lookUp(two.url)).status).toBe(200)
  expect((await two.clock.read()).now).toMatch(/^2030-01-01/)
  await one.delete()
  expect((await lookUp(one.url)).status).toBe(404)
})

test('a snapshot taken from code is what another server starts with and answers', async () => {
  const first = await start({ seed: 's' })
  await first.clock.freeze('2026-05-06T16:00:00Z')
  const text = await first.snapshot()
  const second = await start()
  await second.restore(text)
  expect(await second.snapshot()).toBe(text)
  await second.reset()
  expect(await second.snapshot()).not.toBe(text)
})

test('a server starts with the file of a snapshot and resets to it; a damaged one is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'world.json')
  const first = await start({ seed: 's' })
  await first.clock.freeze('2026-05-06T16:00:00Z')
  const text = await first.snapshot()
  writeFileSync(file, text)
  const second = await start({ snapshot: file })
  expect(await second.snapshot()).toBe(text)
  await second.control('DELETE', 'records/partners/partner-1001')
  await second.clock.advance('P1D')
  await second.reset()
  expect(await second.snapshot()).toBe(text)
  writeFileSync(file, text.replace('"partnerCode":"partner-1001"', '"partnerCode":17'))
  await expect(startVendorCloud({ snapshot: file })).rejects.toThrow(
    /world\.json: records\.partners\[0\]\.partnerCode must be a string/,
  )
})

test('a refusal is an error with the status and the code of the answer', async () => {
  const cloud = await start()
  await expect(cloud.clock.advance(-1)).rejects.toMatchObject({ name: 'ControlError', status: 400 })
  await cloud.world('taken')
  await expect(cloud.world('taken')).rejects.toMatchObject({ status: 409, code: 'ConflictError' })
  await expect(startVendorCloud({ fixtures: '/nowhere' })).rejects.toMatchObject({ name: 'StartError' })
})

test('a server that runs elsewhere is steered by the same calls, with its key', async () => {
  const cloud = await start({ host: '0.0.0.0' })
  const known = connectVendorCloud(`${cloud.url}/`, cloud.controlKey)
  expect(await known.outbox()).toEqual(expect.any(Array))
  await expect(connectVendorCloud(cloud.url).outbox()).rejects.toMatchObject({ status: 403 })
})
