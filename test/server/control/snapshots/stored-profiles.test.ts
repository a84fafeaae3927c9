import { expect, test } from 'vitest'
import { buildTestApp } from '../../../helpers/build-test-app.ts'
import { lineOf, readParts, writeParts } from '../../../helpers/documents/snapshots.ts'

type App = ReturnType<typeof buildTestApp>['app']
type Held = Parameters<typeof writeParts>[0] & {
  records: { settings: { name: string; value: string }[] }
}

const good = { profile: 'theirs', choices: { 'zip-plus-four': 'accepted' } }
const take = async (app: App) => (await app.inject('/_control/snapshot')).payload
const restore = (app: App, held: Held) =>
  app.inject({ method: 'PUT', url: '/_control/snapshot', payload: writeParts(held) })

async function startWithProfile() {
  const { app } = buildTestApp()
  await app.inject({ method: 'PUT', url: '/_control/profile', payload: good })
  const before = await take(app)
  const held = readParts(before) as Held
  const settingOf = (name: string) => held.records.settings.findIndex((each) => each.name === name)
  return { app, before, held, settingOf }
}

test.each<[place: string, rule: string, value: string]>([
  [
    '.choices',
    'sets zip-plus-for, which cannot be set; the nearest is zip-plus-four',
    '{"profile":"theirs","choices":{"zip-plus-for":"accepted"}}',
  ],
  ['.choices.zip-plus-four', 'must be refused or accepted', '{"profile":"theirs","choices":{"zip-plus-four":"maybe"}}'],
  ['.choices', 'sets soap-order, which cannot be set', '{"profile":"theirs","choices":{"soap-order":"any"}}'],
  ['.profile', 'is required', '{"choices":{}}'],
  ['.profile', 'is the name of a built-in profile with other values', '{"profile":"strict","choices":{}}'],
  [
    '.faults[0].match.operation',
    'the nearest is checkAvailability',
    '{"profile":"theirs","faults":[{"match":{"operation":"checkAvailabilty"},"delayMs":1}]}',
  ],
  ['', 'must be JSON', '{"profile":'],
  ['', '100 levels', `{"profile":"theirs","faults":[${'[['.repeat(100)}${']]'.repeat(100)}]}`],
  ['', 'at most 12000 values', `{"profile":"theirs","faults":[${'0,'.repeat(20_000)}0]}`],
])('a snapshot with an invalid profile returns 400 and changes nothing: value%s %s', async (place, rule, value) => {
  const { app, before, held, settingOf } = await startWithProfile()
  const at = settingOf('profile')
  held.records.settings[at]!.value = value
  const reply = await restore(app, held)
  expect(reply.statusCode).toBe(400)
  const [finding] = reply.json().error.details
  expect(finding.target).toBe(`${lineOf(writeParts(held), '"name":"profile"')}: record.value${place}`)
  expect(finding.message).toContain(rule)
  expect(await take(app)).toBe(before)
  expect((await app.inject('/_control/profile')).json()).toEqual(good)
})

test.each(['strict', 'lenient', 'rough'])(
  'the snapshot of a world with the built-in profile %s is restored unchanged',
  async (name) => {
    const { app } = buildTestApp()
    await app.inject({ method: 'PUT', url: '/_control/profile', payload: JSON.stringify(name) })
    const before = await take(app)
    expect((await restore(app, readParts(before))).statusCode).toBe(204)
    expect(await take(app)).toBe(before)
  },
)

test('null in the profile of a snapshot counts as absent, as in PUT /_control/profile', async () => {
  const { app, held, settingOf } = await startWithProfile()
  const choices = { 'zip-plus-four': 'accepted', 'page-size': null }
  held.records.settings[settingOf('profile')]!.value = JSON.stringify({ profile: 'theirs', choices, faults: null })
  expect((await restore(app, held)).statusCode).toBe(204)
  expect((await app.inject('/_control/profile')).json()).toEqual(good)
})

test('faults in a snapshot are validated like those sent to POST /_control/faults', async () => {
  const { app, before } = await startWithProfile()
  const faultsOf = (...faults: object[]) => restore(app, { ...readParts(before), faults })
  const fault = { match: { operation: 'GET /stg/us/guest/zipCode' }, faultId: 'F-1', hits: 0, delayMs: 1 }
  for (const [wrong, place, words] of [
    [{ match: { operation: 99 } }, '.match.operation', 'is not an operation'],
    [{ match: { path: '/stg/us/guest/zipCod' } }, '.match.path', 'the nearest is /stg/us/guest/zipCode'],
    [{ delayMs: undefined }, '.respond', 'is required'],
    [{ time: 1 }, '', 'the nearest is times'],
  ] as const) {
    const reply = await faultsOf(fault, { ...fault, faultId: 'F-2', ...wrong })
    expect([reply.statusCode, reply.json().error.details[0].target]).toEqual([400, `line 3: fault${place}`])
    expect(reply.payload).toContain(words)
  }
  expect(await take(app)).toBe(before)
  expect((await faultsOf(fault)).statusCode).toBe(204)
  expect((await app.inject('/_control/faults')).json().items).toMatchObject([{ match: { operation: 30 } }])
})

test('a profile that is put or deleted as a record of settings takes effect immediately', async () => {
  const { app } = buildTestApp()
  const url = '/_control/records/settings/profile'
  const status = async () => {
    const zip = '/stg/us/guest/zipCode?zipCode=07660-1234'
    return (await app.inject({ url: zip, headers: { 'request-source': 'vendor.com' } })).statusCode
  }
  await app.inject({ method: 'PUT', url, payload: { value: JSON.stringify(good) } })
  expect([(await app.inject('/_control/profile')).json(), await status()]).toEqual([good, 200])
  await app.inject({ method: 'DELETE', url })
  expect([(await app.inject('/_control/profile')).statusCode, await status()]).toEqual([404, 400])
})

test('a profile in the settings is validated like one sent to PUT /_control/profile', async () => {
  const { app } = await startWithProfile()
  const withFault = (match: object) => ({ profile: 'theirs', faults: [{ match, respond: { status: 503 } }] })
  const put = (match: object) =>
    app.inject({
      method: 'PUT',
      url: '/_control/records/settings/profile',
      payload: { value: JSON.stringify(withFault(match)) },
    })
  for (const match of [{ operation: 99 }, { path: '/stg/us/guest/zipCod' }, { operation: 30, method: 'DELETE' }]) {
    const { message: _whole, ...asSet } = (
      await app.inject({ method: 'PUT', url: '/_control/profile', payload: withFault(match) })
    ).json().error
    const reply = await put(match)
    const asRecord = JSON.parse(reply.payload.replaceAll('body.value', 'body')).error
    expect([reply.statusCode, asRecord]).toEqual([400, expect.objectContaining(asSet)])
    expect((await app.inject('/_control/profile')).json()).toEqual(good)
  }
  expect((await put({ operation: 'getGuestZipCode' })).json().value).toContain('"operation":30')
  expect((await app.inject('/_control/faults')).json().items).toMatchObject([{ match: { operation: 30 } }])
})

test('snapshots and settings records with an invalid profile, profile-since or variation return 400', async () => {
  const { app, before, held, settingOf } = await startWithProfile()
  held.records.settings[settingOf('profile-since')]!.value = 'soon'
  held.records.settings.push({ name: 'variation', value: '{"kinds":["json-ordr"]}' })
  const reply = await restore(app, held)
  expect([reply.statusCode, reply.payload]).toEqual([400, expect.stringContaining('must be a timestamp')])
  expect(reply.payload).toContain('value.kinds[0]')
  const payload = { value: '{"profile":"x","choices":{"zip-plus-four":"maybe"}}' }
  const put = await app.inject({ method: 'PUT', url: '/_control/records/settings/profile', payload })
  expect([put.statusCode, put.payload]).toEqual([400, expect.stringContaining('body.value.choices.zip-plus-four')])
  expect(await take(app)).toBe(before)
})

test('a manually written profile in a snapshot is normalized like one sent to PUT /_control/profile', async () => {
  const { app, held, settingOf } = await startWithProfile()
  const faults = [{ match: { operation: 30, method: 'get' }, respond: { status: 503 } }]
  const choices = { 'request-source-web': 'their.com' }
  held.records.settings[settingOf('profile')]!.value = JSON.stringify({ faults, choices, profile: 'by-hand' })
  expect((await restore(app, held)).statusCode).toBe(204)
  expect((await app.inject('/_control/profile')).json()).toMatchObject({
    profile: 'by-hand',
    choices: { 'request-source-web': ['their.com'] },
    faults: [{ match: { method: 'GET' } }],
  })
  const headers = { 'request-source': 'their.com' }
  expect((await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers })).statusCode).toBe(503)
})
