import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { runCommand } from '../../../src/cli/run.ts'
import { parseCase, writeCase, type CaseStep } from '../../../src/contract/files/case.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { readPicture } from '../../helpers/documents/multipart.ts'
import { replayAgainst } from '../../../src/tools/cases/player/replay-against.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { call } from '../../system/acceptance/server.ts'
import { openFrames } from '../../tools/cases/open-frames.ts'
import { visit } from '../../tools/compare/visits.ts'

const guest = { 'request-source': 'vendor.com' }
const based = '/support-api/stg/stg/us/guest/zipCode?zipCode=07660'

/**
 * Opens a world and sends requests to the APIs of all three documents. Some requests to document 1 use the base path of
 * that API.
 */
async function openVisited(prepare: (url: string) => Promise<unknown>) {
  const server = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  onTestFinished(() => server.close())
  const { url } = server
  await call(`${url}/_control/clock`, 'PUT', { now: '2026-05-04T12:00:00Z', frozen: true })
  await prepare(url)
  await visit(url)
  // Opens a stream. The next request ends it.
  const bearer = { authorization: 'Bearer token-home' }
  const draft = { name: 's', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const { json } = await call(`${url}/subscriptions`, 'POST', draft, bearer)
  const stream = await openFrames(String(json['registrationUrl']))
  await stream.take(1)
  await call(`${url}/subscriptions/${String(json['subscriptionId'])}`, 'DELETE', undefined, bearer)
  await stream.take(1)
  // The end of the stream is recorded only after its connection has closed.
  await expect.poll(async () => (await call(`${url}/_control/streams`, 'GET')).json['totalCount']).toBe(0)
  await call(url + based, 'GET', undefined, guest)
  return { url, archive: await (await fetch(`${url}/_control/journal?format=har`)).text() }
}

async function toCase(archive: string): Promise<string> {
  const folder = makeTemporaryFolder()
  const [file, out] = [join(folder, 'journal.har'), join(folder, 'case.jsonl')]
  writeFileSync(file, archive)
  let told = ''
  const output = { write: (text: string) => (told += text) }
  const code = await runCommand(['case', 'from-har', file, '--out', out], { stdout: output, stderr: output })
  expect([code, told]).toEqual([0, expect.stringMatching(/^Wrote \d+ steps? to/)])
  return readFileSync(out, 'utf8')
}

/** Returns the requests in order, followed by the frames in order. The number in each placeholder is removed. */
function told(steps: readonly CaseStep[]): unknown[] {
  const chosen = [...callsOf(steps), ...steps.filter((step) => 'frame' in step)]
  return chosen.map((step, i) =>
    JSON.parse(JSON.stringify({ ...step, step: i + 1 }).replace(/\{\{token:\d+\}\}/g, '{{token}}')),
  )
}

const callsOf = (steps: readonly CaseStep[]) => steps.filter((step) => 'call' in step)

test('a case made from the archive has the same calls and frames as the recording', async () => {
  const { url, archive } = await openVisited((world) => call(`${world}/_control/recordings`, 'POST', {}))
  const recorded = parseCase(await (await fetch(`${url}/_control/recordings/current`)).text())
  const made = parseCase(await toCase(archive))
  expect(told(made.steps)).toEqual(told(recorded.steps))
  expect(made.steps.length).toBeGreaterThan(40)
  expect(made.header.tokens.length).toBeGreaterThan(3)
  expect(callsOf(made.steps).at(-1)).toMatchObject({ call: { path: based, headers: guest }, reply: { status: 200 } })
})

test('a case made from an archive with fixture tokens replays with the same responses', async () => {
  const { archive } = await openVisited(async (url) => {
    const draft = { name: 'seeded', seed: 'upstream', now: '2026-05-04T12:00:00Z', frozen: true }
    await call(`${url}/_control/worlds`, 'POST', draft)
    const { text } = await call(`${url}/w/seeded/_control/snapshot`, 'GET')
    await call(`${url}/_control/snapshot`, 'PUT', text)
  })
  for (const known of ['Bearer token-home', 'web-alice', 'dealer-erin', 'partner-1001', '123456789012']) {
    expect(archive).toContain(known)
  }
  expect(archive).not.toContain('[redacted]')
  const text = await toCase(archive)
  expect(callsOf(parseCase(text).steps).at(-1)).toMatchObject({ call: { path: based } })
  // An archive does not show the order of a request and a frame that have the same timestamp. The frames are therefore
  // omitted.
  const { header, steps } = parseCase(text)
  const { first } = await replayText(writeCase({ header, steps: callsOf(steps) }))
  expect(first).toMatchObject({ what: 'after the last step' })
  expect(first!.differences.filter(({ actual }) => !Object.hasOwn(Object(actual), 'frame'))).toEqual([])
})

test('issued secrets are in the journal, but not in the archive or the case', async () => {
  const [canary, key] = ['canary-0123456789abcdef', 'key-fedcba9876543210']
  const issued: string[] = []
  const { url, archive } = await openVisited(async (world) => {
    const grant = { user: 'u', scopes: [], locations: [], expiresIn: 60 }
    const { json } = await call(`${world}/_control/tokens`, 'POST', grant)
    issued.push(String(json['accessToken']))
    await call(`${world}/subscriptions/x`, 'GET', undefined, { authorization: `Bearer ${issued[0]}` })
    await call(`${world}/stg/us/instore/checkmobile`, 'GET', undefined, { ...guest, 'vendorus-profId': canary })
    await call(`${world}/stg/us/guest/zipCode?note=${issued[0]}&key=${key}`, 'GET', undefined, guest)
    await call(`${world}/_control/purchases`, 'POST', { purchaseId: 'p', sellerSecret: '987654321098' })
  })
  const journal = await (await fetch(`${url}/_control/journal?limit=100`)).text()
  const text = await toCase(archive)
  for (const written of [archive, text]) {
    for (const secret of [canary.slice(2), key.slice(2), ...issued]) expect(written).not.toContain(secret)
  }
  for (const sent of [key, canary, 'Bearer token-home', ...issued]) expect(journal).toContain(sent)
})

test('a case made from the archive uploads the same image', async () => {
  const server = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  onTestFinished(() => server.close())
  const { url } = server
  const tickets = await call(`${url}/stg/us/dealer/tickets`, 'GET', undefined, {
    ...guest,
    'vendorus-profId': 'dealer-erin',
  })
  const [{ srid } = { srid: '' }] = tickets.json['items'] as { srid: string }[]
  const upload = async (bytes: Buffer) => {
    const body = new FormData()
    body.append('imageFile', new Blob([bytes], { type: 'image/png' }), 'my screen.png')
    const address = `${url}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`
    return (await fetch(address, { method: 'POST', headers: guest, body })).status
  }
  expect([await upload(readPicture()), await upload(Buffer.from('no image'))]).toEqual([200, 400])
  const archive = await (await fetch(`${url}/_control/journal?operation=26&format=har`)).text()
  const [accepted, rejected] = JSON.parse(archive).log.entries
  const file = { name: 'imageFile', fileName: 'my screen.png', contentType: 'image/png' }
  const value = readPicture().toString('base64')
  expect(accepted.request.postData.params).toEqual([{ ...file, value, encoding: 'base64' }])
  expect(rejected.request.postData.params).toEqual([file])
  const [step, ...others] = callsOf(parseCase(await toCase(archive)).steps)
  expect(others).toEqual([])
  const sent = Object(step).call.body
  expect(Buffer.from(sent.base64, 'base64').includes(readPicture())).toBe(true)
})

test('a case from the archive of a named world replays without differences in another world', async () => {
  const server = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  onTestFinished(() => server.close())
  const { url } = server
  const draft = { now: '2026-05-04T12:00:00Z', frozen: true }
  for (const name of ['ha', 'hb']) await call(`${url}/_control/worlds`, 'POST', { name, ...draft })
  const body = { name: 's', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const bearer = { authorization: 'Bearer token-home' }
  for (const _ of [1, 2]) {
    const { json } = await call(`${url}/w/ha/subscriptions`, 'POST', body, bearer)
    expect(json['registrationUrl']).toContain('/w/ha/')
    await call(`${url}/w/ha/subscriptions/${String(json['subscriptionId'])}`, 'GET', undefined, bearer)
  }
  const archive = await (await fetch(`${url}/w/ha/_control/journal?format=har`)).text()
  const against = { url: new URL(`${url}/w/hb`), allowWrites: true, secrets: new Map() }
  const report = await replayAgainst(await toCase(archive), against)
  expect(report).toMatchObject({ asked: 4, groups: [] })
})
