import { expect, test } from 'vitest'
import { milesBetween } from '../../../../src/server/domain/appointments/service-centers.ts'
import { KIOSK, newServiceCenter } from '../../../helpers/documents/appointments.ts'
import { asGuest, asWeb, buildTestApp } from '../../../helpers/build-test-app.ts'
import { findingsOf } from '../../../helpers/documents/dealer-portal.ts'
import { buildInStoreApp } from '../../../helpers/documents/in-store.ts'

async function build() {
  const test = await buildInStoreApp()
  const ask = (path: string, query: Record<string, string | string[]> = {}) =>
    test.app.inject({ url: `/stg/us/instore/noauth/${path}`, query, headers: asGuest() })
  return { ...test, ask }
}

test('operation 36 returns 200 with the nearest service center that accepts the model', async () => {
  const { ask, store, zipCodes } = await build()
  await store.transaction((tx) =>
    tx.serviceCenters.put(newServiceCenter({ ascCode: 'TSC002', zipCode: '90001', lat: 33.9731, lng: -118.2479 })),
  )
  const reply = await ask('nearest', { zipCode: '90012', modelCode: KIOSK.toLowerCase(), sc4uObjectId: 'x' })
  expect(reply.statusCode).toBe(200)
  const { distance, ...center } = reply.json()
  const type = { ascType: 'WALKIN', ascName: 'Test Service Center' }
  expect(center).toEqual({ ascCode: 'TSC002', zipCode: '90001', ...type })
  const miles = milesBetween({ lat: 33.9731, lng: -118.2479 }, zipCodes.find('90012')!)
  expect(distance).toBeCloseTo(miles, 2)
  expect((await ask('nearest', { zipCode: '10001', modelCode: KIOSK })).json().ascCode).toBe('TSC001')
})

test('without a model, operation 36 returns 200 with the nearest service center', async () => {
  const { app } = buildTestApp()
  const url = '/stg/us/instore/noauth/nearest?zipCode=10001&modelCode='
  const reply = await app.inject({ url, headers: asGuest() })
  expect(reply.json()).toMatchObject({ ascCode: 'ASC002', ascType: 'WALKIN', distance: 0 })
})

test('operation 36 returns 400 for a missing or malformed zip code and a malformed model', async () => {
  const { ask } = await build()
  expect(findingsOf(await ask('nearest'))).toEqual(['MissingParameter query.zipCode'])
  const reply = await ask('nearest', { zipCode: '1234', modelCode: '<b>' })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply)).toEqual(['InvalidParameter query.zipCode', 'InvalidParameter query.modelCode'])
})

test('operation 36 returns 404 if no service center accepts the zip code or the model', async () => {
  const { ask, store } = await build()
  await store.transaction((tx) => tx.serviceCenters.delete('TSC001'))
  for (const query of [
    { zipCode: '00000' },
    { zipCode: '07660', modelCode: 'VM-NONE' },
    { zipCode: '07660', modelCode: KIOSK },
  ]) {
    expect((await ask('nearest', query)).statusCode, JSON.stringify(query)).toBe(404)
  }
})

test('operation 38 returns 200 with different symptoms for bespoke products and all other products', async () => {
  const { ask } = await build()
  const ids = async (query: Record<string, string>) => {
    const reply = await ask('symptoms', query)
    expect(reply.statusCode).toBe(200)
    return reply.json().symptoms.map(({ symptomId }: { symptomId: string }) => symptomId)
  }
  const [others, bespoke] = [await ids({}), await ids({ bespoke: 'Y' })]
  expect(others).toContain('TS1')
  expect(bespoke).toContain('TS2')
  expect(others.filter((id: string) => bespoke.includes(id))).toEqual([])
  expect(await ids({ bespoke: '', modelCode: '<anything>' })).toEqual(others)
})

test('operation 38 returns 400 if bespoke is repeated', async () => {
  const { ask } = await build()
  expect(findingsOf(await ask('symptoms', { bespoke: ['Y', 'Y'] }))).toEqual(['RepeatedParameter query.bespoke'])
})

test('operation 41 returns 200 with the guide articles of a symptom, or an empty list', async () => {
  const { ask, store } = await build()
  const article = {
    articleId: 'TS1-A',
    symptomId: 'TS1',
    title: 'Try this',
    summary: 'Two steps',
    steps: ['One.', 'Two.'],
  }
  await store.transaction((tx) => tx.inStoreArticles.put(article))
  expect((await ask('tsg', { symptomId: 'TS1' })).json()).toEqual([article])
  for (const symptomId of ['TS2', 'no-such-symptom']) {
    const reply = await ask('tsg', { symptomId })
    expect([reply.statusCode, reply.json()]).toEqual([200, []])
  }
})

test('without a symptom, operation 41 returns 200 with all guide articles', async () => {
  const { ask, store } = await build()
  expect((await ask('tsg')).json()).toHaveLength(await store.inStoreArticles.count())
})

test('operation 41 returns 400 if symptomId is repeated', async () => {
  const { ask } = await build()
  expect((await ask('tsg', { symptomId: ['TS1', 'TS2'] })).statusCode).toBe(400)
})

test.each([
  [35, 'DELETE', 'emailcancel?srid=1234567890&key=x', 404],
  [36, 'GET', 'nearest?zipCode=07660', 200],
  [38, 'GET', 'symptoms', 200],
  [39, 'GET', 'taxonomy', 200],
  [40, 'GET', 'taxonomyTree', 200],
  [41, 'GET', 'tsg', 200],
] as const)(
  'operation %i returns 400 without a request-source, and ignores any identity',
  async (_, method, path, status) => {
    const { app } = buildTestApp()
    const url = `/stg/us/instore/noauth/${path}`
    expect((await app.inject({ method, url })).statusCode).toBe(400)
    expect((await app.inject({ method, url, headers: asWeb('no id at all') })).statusCode).toBe(status)
  },
)
