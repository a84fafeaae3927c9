import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NOON } from './bookings.ts'
import { type Installation, install, putSetting, send } from './installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

const PICTURE = readFileSync(join(import.meta.dirname, '../../helpers/images/picture.png'))

test('changes to a world and its clock are immediately visible on every instance', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const clockOf = (url: string) => send('GET', `${url}/w/joint/_control/clock`)
  expect((await send('POST', `${a.url}/_control/worlds`, { name: 'joint' })).status).toBe(200)
  expect((await clockOf(b.url)).status).toBe(200)
  expect((await send('POST', `${b.url}/_control/worlds`, { name: 'joint' })).status).toBe(409)

  await send('PUT', `${b.url}/w/joint/_control/clock`, { now: NOON, frozen: true })
  expect((await clockOf(a.url)).body).toMatchObject({ now: NOON, frozen: true })
  await send('POST', `${a.url}/w/joint/_control/clock/advance`, { duration: 'PT1H' })
  expect((await clockOf(b.url)).body).toMatchObject({ now: '2026-05-06T17:00:00.000Z' })

  await putSetting(`${a.url}/w/joint`, 'mark')
  expect((await send('GET', `${b.url}/w/joint/_control/records/settings/mark`)).status).toBe(200)
  await send('POST', `${b.url}/w/joint/_control/reset`)
  expect((await send('GET', `${a.url}/w/joint/_control/records/settings/mark`)).status).toBe(404)
  expect((await clockOf(a.url)).body).toMatchObject({ frozen: false })
  expect((await putSetting(`${a.url}/w/joint`, 'mark')).status).toBe(200)

  expect((await send('DELETE', `${a.url}/_control/worlds/joint`)).status).toBe(204)
  expect((await clockOf(b.url)).status).toBe(404)
})

test('instances that start on an empty database share one default world', async () => {
  const fresh = await install()
  try {
    const all = await Promise.all([fresh.startInstance(), fresh.startInstance(), fresh.startInstance()])
    await putSetting(all[0]!.url, 'mark')
    for (const { url } of all) expect((await send('GET', `${url}/_control/records/settings/mark`)).status).toBe(200)
  } finally {
    await fresh.remove()
  }
})

test('a page of tickets that was already read shows later changes on both instances', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
  const read = async ({ url }: { url: string }) => {
    const { body } = await send('GET', `${url}/stg/us/dealer/tickets?limit=5`, undefined, headers)
    return body['items'] as Record<string, unknown>[]
  }
  const [ticket] = await read(a)
  expect((await read(b))[0]).toEqual(ticket)
  for (const [writer, reader, problemDescription] of [
    [a, b, 'Changed on a'],
    [b, a, 'Changed on b'],
  ] as const) {
    const address = `${writer.url}/_control/records/tickets/${String(ticket!['srid'])}`
    const { body } = await send('GET', address)
    expect((await send('PUT', address, { ...body, problemDescription })).status).toBe(200)
    for (const instance of [writer, reader]) {
      expect((await read(instance))[0]).toEqual({ ...ticket, problemDescription })
    }
  }
})

test('of 8 parallel uploads to one ticket on two instances, exactly four are stored', async () => {
  const a = await installation.startInstance()
  const b = await installation.startInstance()
  const { body } = await send('GET', `${a.url}/_control/records/tickets?limit=100`)
  const ticket = (body['items'] as { srid: string; images: unknown[] }[]).find(({ images }) => images.length === 0)
  const upload = async (url: string, i: number) => {
    const form = new FormData()
    form.append('imageFile', new Blob([PICTURE, String(i)]), 'a.png')
    const address = `${url}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${ticket!.srid}`
    return (await fetch(address, { method: 'POST', headers: { 'request-source': 'vendor.com' }, body: form })).status
  }
  const statuses = await Promise.all(Array.from({ length: 8 }, (_, i) => upload(i % 2 ? a.url : b.url, i)))
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 400, 400, 400, 400])
  const kept = await send('GET', `${b.url}/_control/records/tickets/${ticket!.srid}`)
  expect(kept.body['images']).toHaveLength(4)
})
