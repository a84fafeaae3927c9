import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { readyMadeNames, readyMadeProfile } from '../../../src/contract/records/control/ready-made.ts'
import { choices } from '../../../src/contract/rules.ts'
import { readProfileFile } from '../../../src/server/seed/profile-file.ts'
import { asWeb, buildTestApp, type TestApp } from '../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const alice = asWeb('web-alice')
const LONG = '/stg/us/guest/zipCode?zipCode=07660-1234'
const custom = { profile: 'theirs', choices: { 'zip-plus-four': 'accepted' } }

function callsOf({ app }: Pick<TestApp, 'app'>) {
  const send = async (method: InjectOptions['method'], url: string, payload?: unknown) => {
    const reply = await app.inject({ method: method!, url, ...(payload !== undefined && json(payload)) })
    return { status: reply.statusCode, body: reply.body && reply.json() }
  }
  const look = async (world = '') => (await app.inject({ url: `${world}${LONG}`, headers: alice })).statusCode
  return { send, look }
}

const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
})

test('a profile applies only to its world from the next request until it is removed', async () => {
  const { send, look } = callsOf(buildTestApp())
  expect(await send('GET', '/_control/profile')).toMatchObject({ status: 404 })
  expect(await look()).toBe(400)
  expect(await send('PUT', '/_control/profile', custom)).toEqual({ status: 200, body: custom })
  expect(await look()).toBe(200)
  const items = (await send('GET', '/_control/choices')).body.items as { id: string; value: unknown }[]
  expect(items.find(({ id }) => id === 'zip-plus-four')).toMatchObject({
    value: 'accepted',
    allowed: ['refused', 'accepted'],
  })
  await send('POST', '/_control/worlds', { name: 'other' })
  expect(await look('/w/other')).toBe(400)
  expect(await send('DELETE', '/_control/profile')).toMatchObject({ status: 204 })
  expect(await look()).toBe(400)
})

test('status, coverage, worlds, rejected journal entries and recordings contain the name of the profile', async () => {
  const test = buildTestApp()
  const { send } = callsOf(test)
  await send('POST', '/_control/worlds', { name: 'custom', profile: custom })
  expect((await send('GET', '/w/custom/_control/status')).body).toMatchObject({ profile: 'theirs' })
  expect((await send('GET', '/w/custom/_control/coverage')).body).toMatchObject({ profile: 'theirs' })
  expect((await send('GET', '/_control/coverage')).body).not.toHaveProperty('profile')
  expect((await send('GET', '/_control/worlds/custom')).body).toMatchObject({ profile: 'theirs' })
  await test.app.inject({ url: '/w/custom/stg/us/guest/zipCode?zipCode=x', headers: alice })
  const [entry] = (await send('GET', '/w/custom/_control/journal')).body.entries
  expect(entry.why).toMatchObject({ profile: 'theirs' })
  await send('POST', '/w/custom/_control/recordings')
  const { body } = await test.app.inject('/w/custom/_control/recordings/current')
  expect(JSON.parse(body.split('\n')[0]!)).toMatchObject({ profile: 'theirs' })
})

test('forks and snapshots include the profile, and a reset restores the initial one', async () => {
  const { app } = buildTestApp()
  const { send, look } = callsOf({ app })
  await send('POST', '/_control/worlds', { name: 'a', profile: custom })
  await send('POST', '/_control/worlds', { name: 'fork', from: 'a' })
  await send('POST', '/_control/worlds', { name: 'plain-fork', from: 'a', profile: null })
  expect([await look('/w/a'), await look('/w/fork'), await look('/w/plain-fork')]).toEqual([200, 200, 400])
  const { payload } = await app.inject('/w/a/_control/snapshot')
  await send('DELETE', '/w/a/_control/profile')
  expect(await look('/w/a')).toBe(400)
  await app.inject({ method: 'PUT', url: '/_control/snapshot', payload })
  expect(await look()).toBe(200)
  for (const name of ['a', 'fork', 'plain-fork']) await send('POST', `/w/${name}/_control/reset`)
  await send('POST', '/_control/reset')
  expect([await look('/w/a'), await look('/w/fork'), await look('/w/plain-fork'), await look()]).toEqual([
    200, 200, 400, 400,
  ])
})

test('removing a profile removes its faults and variation, but not the manually added faults', async () => {
  const { send } = callsOf(buildTestApp())
  const fault = { match: { operation: 'GET /stg/us/guest/zipCode' }, respond: { status: 503 }, name: 'theirs' }
  const byHand = { match: { operation: 31 }, respond: { status: 503 }, name: 'mine' }
  const names = async () =>
    ((await send('GET', '/_control/faults')).body.items as { name: string }[]).map(({ name }) => name)
  await send('POST', '/_control/faults', byHand)
  await send('PUT', '/_control/profile', { ...custom, faults: [fault], variation: { kinds: ['json-order'] } })
  expect(await names()).toEqual(['mine', 'theirs'])
  expect((await send('GET', '/_control/faults')).body.items[1]).toMatchObject({
    match: { operation: 30 },
    profile: 'theirs',
  })
  expect((await send('GET', '/_control/variation')).body).toMatchObject({ kinds: ['json-order'] })
  await send('DELETE', '/_control/profile')
  expect(await names()).toEqual(['mine'])
  expect(await send('GET', '/_control/variation')).toMatchObject({ status: 404 })
})

test.each<[unknown, string, string]>([
  [{ profile: 'x', choices: { 'zip-plus-for': 'accepted' } }, 'body.choices', 'the nearest is zip-plus-four'],
  [{ profile: 'x', choices: { 'zip-plus-four': 'acepted' } }, 'body.choices.zip-plus-four', 'the nearest is accepted'],
  [{ profile: 'x', choices: { 'page-size': 200 } }, 'body.choices.page-size', 'must be at most page-max, which is 100'],
  [{ profile: 'x', choices: { 'page-max': 1001 } }, 'body.choices.page-max', 'at most 1000'],
  [{ profile: 'x', choices: { 'rate-limit': 10 } }, 'body.choices.rate-limit', 'must be none or {requests, per}'],
  [
    { profile: 'x', choices: { 'session-lifetime': 'nonee' } },
    'body.choices.session-lifetime',
    'must be none or an ISO 8601 duration such as PT1H, longer than zero and at most P10Y; the nearest is none',
  ],
  [{ profile: 'x', choices: { 'session-lifetime': 'P11Y' } }, 'body.choices.session-lifetime', 'at most P10Y'],
  [{ profile: 'x', choices: { 'session-lifetime': '1h' } }, 'body.choices.session-lifetime', 'such as PT1H'],
  [{ profile: 'x', choices: { 'stream-lifetime': 'P' } }, 'body.choices.stream-lifetime', 'such as PT1H'],
  [{ profile: 'x', choices: { 'page-size': 0 } }, 'body.choices.page-size', 'at least 1'],
  [{ profile: 'x', choices: { 'page-max': 1.5 } }, 'body.choices.page-max', 'must be a whole number'],
  [{ profile: 'x', choices: { 'lead-time': 'PT1H' } }, 'body.choices', 'sets lead-time, which cannot be set'],
  [{ profile: 'x', choice: {} }, 'body', 'the nearest is choices'],
  [{ profile: 'x', choices: { 'soap-order': 'any' } }, 'body.choices', 'sets soap-order, which cannot be set'],
  [{ profile: 'strict', choices: {} }, 'body.profile', 'Use another name, or only this name, a JSON string'],
  ['flaky', 'body', 'flaky is a fault profile. Apply it to a world with POST /_control/faults/profiles/flaky'],
  [{ profile: ' ' }, 'body.profile', 'is required'],
  ['strickt', 'body', 'strickt is not a built-in profile; the nearest is strict'],
  [{ choices: {} }, 'body.profile', 'is required'],
  [
    { profile: 'x', faults: [{ match: { operation: 99 }, delayMs: 1 }] },
    'body.faults[0].match.operation',
    'is not an operation',
  ],
  [{ profile: 'x', variation: { kinds: ['json-ordr'] } }, 'body.variation.kinds[0]', 'the nearest is json-order'],
])(
  'an invalid profile returns 400 with a suggestion and leaves the current profile unchanged: %j',
  async (given, target, words) => {
    const { send } = callsOf(buildTestApp())
    await send('PUT', '/_control/profile', custom)
    const { status, body } = await send('PUT', '/_control/profile', given)
    expect([status, body.error.details[0].target]).toEqual([400, target])
    expect(body.error.details[0].message).toContain(words)
    expect(await send('GET', '/_control/profile')).toEqual({ status: 200, body: custom })
  },
)

test('a profile can be read from YAML and JSON files, and errors have a suggestion', async () => {
  const folder = makeTemporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  expect(await readProfileFile(write('a.yaml', 'profile: theirs\nchoices:\n  zip-plus-four: accepted\n'))).toEqual(
    custom,
  )
  expect(await readProfileFile(write('a.json', JSON.stringify(custom)))).toEqual(custom)
  expect(await readProfileFile('strict')).toMatchObject({ profile: 'strict' })
  await expect(readProfileFile('strickt')).rejects.toThrow('(did you mean strict?)')
  const wrong = write('b.yaml', 'profile: x\nchoices: { zip-plus-for: accepted }\n')
  await expect(readProfileFile(wrong)).rejects.toThrow(
    'choices sets zip-plus-for, which cannot be set; the nearest is zip-plus-four',
  )
  await expect(readProfileFile(write('c.yaml', 'a: [\n'))).rejects.toThrow('c.yaml: ')
  await expect(readProfileFile(write('d.yaml', 'profile: !!js/function x\n'))).rejects.toThrow('Unresolved tag')
  await expect(readProfileFile(write('e.yaml', 'a: &a [*a]\n'))).rejects.toThrow('e.yaml: ')
})

test.each([
  { profile: 'x', choices: null, variation: null, faults: null },
  {
    profile: 'x',
    choices: { 'zip-plus-four': null, 'rate-limit': { requests: 3, per: 'PT1M', headers: null } },
    variation: { seed: null, kinds: ['json-order'] },
    faults: [{ match: { operation: 30, query: null }, respond: { status: 200, body: { kept: null } }, when: null }],
  },
])('null counts as absent in every part of a profile: %j', async (given) => {
  const { send } = callsOf(buildTestApp())
  const put = await send('PUT', '/_control/profile', given)
  expect([put.status, (await send('POST', '/_control/worlds', { name: 'a', profile: given })).status]).toEqual([
    200, 200,
  ])
  expect(await send('GET', '/w/a/_control/profile')).toEqual(put)
  const file = join(makeTemporaryFolder(), 'profile.yaml')
  writeFileSync(file, JSON.stringify(given))
  expect(JSON.parse(JSON.stringify(await readProfileFile(file)))).toEqual(put.body)
  expect(JSON.stringify(put.body).replace('{"kept":null}', '')).not.toContain('null')
})

test('an empty section of a YAML profile is ignored', async () => {
  const file = join(makeTemporaryFolder(), 'profile.yaml')
  writeFileSync(file, 'profile: theirs\nchoices:\nfaults:\n')
  expect(await readProfileFile(file)).toEqual({ profile: 'theirs' })
})

test('docs/profiles.md mentions each settable choice and lists every value of the built-in profiles', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/profiles.md'), 'utf8')
  const settable = choices.flatMap(({ id, schema }) => (schema ? [id] : []))
  for (const id of settable) expect(page).toContain(`\`${id}\``)
  const write = (value: unknown) =>
    value === undefined ? '' : `\`${typeof value === 'object' ? JSON.stringify(value) : String(value)}\``
  const rows = settable.flatMap((id) => {
    const values = readyMadeNames.map((name) => new Map(Object.entries(readyMadeProfile(name).choices)).get(id))
    return values.every((each) => each === undefined) ? [] : [`| \`${id}\` | ${values.map(write).join(' | ')} |`]
  })
  expect(
    page
      .slice(page.indexOf('## Built-in profiles'))
      .split('\n')
      .filter((line) => line.startsWith('| `')),
  ).toEqual(rows)
})

test.each(readyMadeNames)(
  'a world can be created with the built-in profile %s and has its choices',
  async (profile) => {
    const { send } = callsOf(buildTestApp())
    expect((await send('POST', '/_control/worlds', { name: 'a', profile })).status).toBe(200)
    const { items } = (await send('GET', '/w/a/_control/choices')).body as { items: { id: string; value: unknown }[] }
    const values = Object.fromEntries(items.map(({ id, value }) => [id, value]))
    expect(values).toMatchObject(readyMadeProfile(profile).choices)
  },
)
