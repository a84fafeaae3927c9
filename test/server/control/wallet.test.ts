import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
const post = (app: App, path: string, payload: object | string) =>
  app.inject({ method: 'POST', url: `/_control/wallet/${path}`, payload })

const subject = {
  country: 'US',
  state: 'New Jersey',
  locality: 'Ridgefield Park',
  organization: 'Partner',
  unit: 'Wallet',
  commonName: 'wallet.partner.example.com',
  email: 'ops@partner.example.com',
}

test('checking a card accepts objects and JSON strings and returns errors and warnings', async () => {
  const { app } = buildTestApp()
  const barcode = { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333931' }
  expect((await post(app, 'check', { barcode })).json()).toEqual({ errors: [], warnings: [] })
  const locations = [
    { lat: 1, lng: 2, address: 'a', name: 'n' },
    { lat: 999, lng: 2, address: 'a', name: 'n' },
  ]
  for (const given of [locations, JSON.stringify(locations)]) {
    const reply = await post(app, 'check', { barcode: { ...barcode, value: '4006381333932' }, locations: given })
    const paths = reply.json().errors.map(({ path }: { path: string }) => path)
    expect([reply.statusCode, paths]).toEqual([200, expect.arrayContaining(['barcode.value', 'locations[1].lat'])])
  }
})

test('checking a card with a list of 5,000 entries reports only one error', async () => {
  const { app } = buildTestApp()
  const many = Array.from({ length: 5000 }, () => ({}))
  for (const [card, path] of [
    [{ locations: many }, 'locations'],
    [{ additionalInformation: { count: 5000, info: many } }, 'additionalInformation.info'],
    [{ classification: { person: many } }, 'classification.person'],
  ] as const) {
    const reply = await post(app, 'check', card)
    const errors = reply.json().errors.map((each: { code: string; path: string }) => [each.code, each.path])
    expect([reply.statusCode, errors]).toEqual([200, [['TooManyEntries', path]]])
  }
  const content = { title: 'a', content: Array(101).fill('b') }
  const { errors } = (await post(app, 'check', { additionalInformation: { count: 1, info: [content] } })).json()
  expect(errors).toMatchObject([{ code: 'TooManyEntries', path: 'additionalInformation.info[0].content' }])
})

test('checking a card returns 400 if the body is not JSON', async () => {
  expect((await post(buildTestApp().app, 'check', '{')).statusCode).toBe(400)
})

test('a valid signing request returns a certificate, and an invalid one returns every error', async () => {
  const { app, certificates } = buildTestApp()
  const pem = await certificates.newKey()
  const proper = await certificates.newRequest({ pem }, subject)
  const reply = await post(app, 'certificates', { request: proper })
  expect([reply.statusCode, reply.json().certificate]).toEqual([200, expect.stringContaining('BEGIN CERTIFICATE')])

  const improper = await certificates.newRequest({ pem }, { ...subject, country: 'XX', commonName: 'localhost' })
  const refused = await post(app, 'certificates', { request: improper })
  const targets = refused.json().error.details.map(({ target }: { target: string }) => target)
  expect([refused.statusCode, targets]).toEqual([400, ['subject.country', 'subject.commonName']])
  expect((await post(app, 'certificates', { request: 'hello' })).statusCode).toBe(400)
})
