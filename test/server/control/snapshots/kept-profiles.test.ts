import { expect, test } from 'vitest'
import { buildTestApp } from '../../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
interface Held {
  records: { settings: { name: string; value: string }[] }
}

const good = { profile: 'theirs', choices: { 'zip-plus-four': 'accepted' } }
const take = async (app: App) => (await app.inject('/_control/snapshot')).payload
const restore = (app: App, held: Held) =>
  app.inject({ method: 'PUT', url: '/_control/snapshot', payload: held as object })

async function startBent() {
  const { app } = buildTestApp()
  await app.inject({ method: 'PUT', url: '/_control/profile', payload: good })
  const before = await take(app)
  const held = JSON.parse(before) as Held
  const settingOf = (name: string) => held.records.settings.findIndex((each) => each.name === name)
  return { app, before, held, settingOf }
}

test.each<[place: string, rule: string, value: string]>([
  [
    '.choices',
    'no field zip-plus-for; the nearest is zip-plus-four',
    '{"profile":"theirs","choices":{"zip-plus-for":"accepted"}}',
  ],
  ['.choices.zip-plus-four', 'must be refused or accepted', '{"profile":"theirs","choices":{"zip-plus-four":"maybe"}}'],
  ['.choices.page-size', 'must be a', '{"profile":"theirs","choices":{"page-size":null}}'],
  ['.profile', 'is required', '{"choices":{}}'],
  ['', 'must be JSON', '{"profile":'],
  ['', '100 levels', `{"profile":"theirs","faults":[${'[['.repeat(100)}${']]'.repeat(100)}]}`],
  ['', 'at most 12000 values', `{"profile":"theirs","faults":[${'0,'.repeat(20_000)}0]}`],
])('a snapshot whose profile is no good is 400 and the good one stays: value%s %s', async (place, rule, value) => {
  const { app, before, held, settingOf } = await startBent()
  const at = settingOf('profile')
  held.records.settings[at]!.value = value
  const reply = await restore(app, held)
  expect(reply.statusCode).toBe(400)
  const [finding] = reply.json().error.details
  expect(finding.target).toBe(`body.records.settings[${at}].value${place}`)
  expect(finding.message).toContain(rule)
  expect(await take(app)).toBe(before)
  expect((await app.inject('/_control/profile')).json()).toEqual(good)
})

test('other settings that rules read are checked as well, in a snapshot and as records', async () => {
  const { app, before, held, settingOf } = await startBent()
  held.records.settings[settingOf('profile-since')]!.value = 'soon'
  held.records.settings.push({ name: 'variation', value: '{"kinds":["json-ordr"]}' })
  const reply = await restore(app, held)
  expect([reply.statusCode, reply.payload]).toEqual([400, expect.stringContaining('must be an instant')])
  expect(reply.payload).toContain('value.kinds[0]')
  const payload = { value: '{"profile":"x","choices":{"zip-plus-four":"maybe"}}' }
  const put = await app.inject({ method: 'PUT', url: '/_control/records/settings/profile', payload })
  expect([put.statusCode, put.payload]).toEqual([400, expect.stringContaining('body.value.choices.zip-plus-four')])
  expect(await take(app)).toBe(before)
})

test('a profile that was written into a snapshot by hand is read as one that was put', async () => {
  const { app, held, settingOf } = await startBent()
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
