import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { runCommand } from '../../../src/cli/run.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { multipartType, newForm, readPicture } from '../../helpers/documents/multipart.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createTicket } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { createCustomers, findScarceSlot, recordCase } from './record-scenarios.ts'

const guest = { 'request-source': 'vendor.com' }
const zip = '/stg/us/guest/zipCode?zipCode=07660'

async function open(settings: Readonly<Record<string, string>> = {}) {
  const server = await startServer(readConfig({ PORT: '0', ...settings }))
  onTestFinished(() => server.close())
  return server
}

const readCase = async (world: string, query = '') =>
  (await fetch(`${world}/_control/recordings/current${query}`)).text()

async function recordCall(url: string, plan: { name: string }, prepare: (world: string) => Promise<unknown>) {
  const world = `${url}/w/${plan.name}`
  await call(`${url}/_control/worlds`, 'POST', plan)
  await prepare(world)
  await call(`${world}/_control/recordings`, 'POST', {})
  await call(world + zip, 'GET', undefined, guest)
  return readCase(world)
}

const headerOf = (text: string) => parseCase(text).header

test('a case of ten calls in a new world has at most 20 KB', async () => {
  const { url } = await open()
  const plans = [{}, { seed: 'one' }, { now: '2031-02-28T23:30:00Z' }, { now: '2031-02-28T23:30:00Z', frozen: true }]
  for (const [i, plan] of plans.entries()) {
    const name = `small-${i}`
    await call(`${url}/_control/worlds`, 'POST', { name, ...plan })
    const world = `${url}/w/${name}`
    await call(`${world}/_control/recordings`, 'POST', {})
    for (let rating = 1; rating <= 5; rating++) {
      await call(world + zip, 'GET', undefined, guest)
      await call(`${world}/stg/us/guest/customerFeedback`, 'POST', { rating, comment: 'good' }, guest)
    }
    const text = await readCase(world)
    expect(text.length).toBeLessThanOrEqual(20_000)
    const { changed, fixtures, snapshot } = headerOf(text)
    const { settings, counters: _, ...others } = changed?.records ?? {}
    expect([settings?.length, others]).toEqual([1, {}])
    expect([changed?.gone, snapshot, fixtures?.name]).toEqual([undefined, undefined, 'default'])
    expect(await replayText(text)).toEqual({ same: true, steps: 10 })
  }
})

test('a case contains only what differs from the fixtures: records, images, faults and the clock', async () => {
  const { url } = await open()
  const name = 'changed'
  await call(`${url}/_control/worlds`, 'POST', { name })
  const world = `${url}/w/${name}`
  const [bpNo = ''] = await createCustomers(world, 1)
  const { json } = await createTicket(world, (await findScarceSlot(world)).slot, bpNo)
  const srid = String(json['srid'])
  await fetch(`${world}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`, {
    method: 'POST',
    headers: { ...guest, 'content-type': multipartType },
    body: new Uint8Array(newForm([{ fileName: 'a.png', type: 'image/png', content: readPicture() }])),
  })
  await call(`${world}/_control/clock/advance`, 'POST', { duration: 'P3D' })
  await call(`${world}/_control/faults`, 'POST', { match: { operation: 1 }, delayMs: 1 })
  const store = await call(`${world}/_control/records/stores?limit=1`, 'GET')
  const [first] = store.json['items'] as Record<string, unknown>[]
  const key = String((await collectionOf(world, 'stores')).key)
  const gone = String(first?.[key])
  expect((await call(`${world}/_control/records/stores/${gone}`, 'DELETE')).status).toBeLessThan(300)
  await call(`${world}/_control/recordings`, 'POST', {})
  const dealer = { ...guest, 'vendorus-profId': 'dealer-erin' }
  await call(`${world}/stg/us/dealer/tickets/${srid}`, 'GET', undefined, dealer)
  await call(`${world}/stg/us/guest/customerFeedback`, 'POST', { rating: 5, comment: 'good' }, guest)
  const text = await readCase(world)
  const { changed } = headerOf(text)
  expect(changed).toMatchObject({
    clock: { frozenAt: expect.any(String) },
    faults: [expect.objectContaining({ delayMs: 1 })],
    gone: { stores: [gone] },
    records: { customers: [{ bpNo }], tickets: [{ srid }], symptomImages: [expect.anything()] },
  })
  expect(Object.keys(changed?.blobs ?? {})).toHaveLength(1)
  expect(Object.keys(changed?.records ?? {})).not.toContain('productModels')
  expect(await replayText(text)).toMatchObject({ same: true })
  expect(await replayText(await readCase(world, '?whole=true'))).toMatchObject({ same: true })
})

async function collectionOf(world: string, name: string) {
  const { json } = await call(`${world}/_control/records`, 'GET')
  return (json['items'] as { name: string; key: string }[]).find((each) => each.name === name)!
}

test('the cases of forks, restored worlds and worlds on disk contain only changes to fixtures', async () => {
  const { url } = await open()
  const change = { name: 'changed', now: '2031-02-28T23:30:00Z', seed: 's' }
  await recordCall(url, change, (world) => createCustomers(world, 1))
  const fromChanged = { name: 'fork', from: 'changed' }
  const fork = await recordCall(url, fromChanged, async () => {})
  const snapshot = (await call(`${url}/w/changed/_control/snapshot`, 'GET')).text
  const restored = await recordCall(url, { name: 'restored' }, (world) =>
    call(`${world}/_control/snapshot`, 'PUT', snapshot),
  )
  const folder = makeTemporaryFolder()
  const before = await startServer(readConfig({ PORT: '0', DATA_DIR: folder }))
  await call(`${before.url}/_control/worlds`, 'POST', change)
  await createCustomers(`${before.url}/w/changed`, 1)
  await before.close()
  const after = await open({ DATA_DIR: folder })
  await call(`${after.url}/w/changed/_control/recordings`, 'POST', {})
  await call(`${after.url}/w/changed${zip}`, 'GET', undefined, guest)
  for (const text of [fork, restored, await readCase(`${after.url}/w/changed`)]) {
    const { start, changed } = headerOf(text)
    expect(start).toBe('2031-02-28T23:30:00.000Z')
    expect(changed?.records?.['customers']).toHaveLength(1)
    expect(changed?.records?.['tickets']).toBeUndefined()
    expect(await replayText(text)).toMatchObject({ same: true })
  }
})

test('a case contains the state at the start of the recording, without later changes', async () => {
  const { url } = await open()
  const text = await recordCase(
    url,
    async (world) => {
      const [bpNo = ''] = await createCustomers(world, 1)
      await createTicket(world, (await findScarceSlot(world)).slot, bpNo)
      await call(`${world}/_control/faults`, 'POST', { match: { operation: 1 }, delayMs: 1 })
    },
    { name: 'later' },
  )
  const { changed } = headerOf(text)
  expect(changed?.records).not.toHaveProperty('customers')
  expect(changed).not.toHaveProperty('faults')
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('a case recorded with custom fixtures contains a full snapshot', async () => {
  const folder = makeTemporaryFolder()
  mkdirSync(join(folder, 'own'))
  const own = [{ companyId: 'C900', companyName: 'Own' }]
  writeFileSync(join(folder, 'own', 'companies.json'), JSON.stringify(own))
  const { url } = await open({ FIXTURES: join(folder, 'own') })
  const text = await recordCall(url, { name: 'own' }, async () => {})
  expect(headerOf(text)).toMatchObject({ snapshot: { records: { companies: own } } })
  expect(await replayText(text)).toMatchObject({ same: true })
})

test('replay reports different fixtures and the version that recorded the case', async () => {
  const { url } = await open()
  const text = await recordCall(url, { name: 'other' }, async () => {})
  const { sha256 } = headerOf(text).fixtures!
  const other = text.replace(sha256, 'f'.repeat(64)).replace(/"version":"[^"]+"/, '"version":"7.8.9"')
  expect(await replayText(other)).toEqual({
    otherFixtures: { name: 'default', version: '7.8.9' },
    same: true,
    steps: 1,
  })
  const file = join(makeTemporaryFolder(), 'other.jsonl')
  writeFileSync(file, other)
  let printed = ''
  const output = { write: (line: string) => (printed += line) }
  expect(await runCommand(['replay', file], { stdout: output, stderr: output })).toBe(0)
  expect(printed).toMatch(
    /^The fixtures "default" differ from those of the case, which was recorded with version 7\.8\.9\.\nits only step gave the same result as in the case\n/,
  )
})
