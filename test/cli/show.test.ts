import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeCase } from '../../src/contract/files/case.ts'
import { runCommand } from '../../src/cli/run.ts'
import { startVendorCloud } from '../../src/index.ts'
import type { CaseView } from '../../src/tools/cases/view/case-view.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'
import { makeHostileCase } from '../tools/cases/view/hostile-case.ts'

const BOOKINGS = join(import.meta.dirname, '../tools/cases/booking-race.jsonl')

async function show(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(['case', 'show', ...args], { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

function readData(page: string): CaseView & { opened?: number } {
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? []
  return JSON.parse(data) as CaseView
}

async function recordCase(work: (world: Awaited<ReturnType<typeof startVendorCloud>>) => Promise<unknown>) {
  const cloud = await startVendorCloud({ port: false })
  onTestFinished(() => cloud.stop())
  await cloud.recording.start()
  await work(cloud)
  const file = join(makeTemporaryFolder(), 'recorded.jsonl')
  await cloud.saveCase(file)
  return file
}

const asGuest = { headers: { 'request-source': 'vendor.com' } }

test('for each step, the case page shows the rejecting rule and the changed records', async () => {
  const { code, stdout } = await show(BOOKINGS, '--step', '9')
  expect(code).toBe(0)
  const { opened, steps, played, about } = readData(stdout)
  expect([opened, steps.length, about.notes]).toEqual([9, 14, []])
  expect(played['2']!.changes).toMatchObject([{ collection: 'customers', key: '9604727720', kind: 'added' }])
  expect(played['9']!.why).toMatchObject({ code: 'SlotUnavailable', source: 'our choice: slot-unavailable' })
  expect(Object.values(played).some(({ differs }) => differs)).toBe(false)
})

test('the case page shows the rule that a rejected SOAP request violates', async () => {
  const soap = '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body/></s:Envelope>'
  const file = await recordCase(async ({ fetch }) => {
    await fetch('/iap/ws/RTCService', { method: 'POST', body: soap, headers: { 'content-type': 'text/xml' } })
  })
  const { played } = readData((await show(file)).stdout)
  expect(played['1']!.why!.source ?? played['1']!.why!.findings[0]!.source).toMatch(/^SOAP 1.1, section 4$/)
})

test('the case page shows the effects of a clock move at its step', async () => {
  const file = await recordCase(async (world) => {
    await world.clock.freeze('2026-05-06T16:00:00Z')
    const step = { deviceId: 'aaaaaaaa-0000-4000-8000-000000000001', capability: 'switch', attribute: 'switch' }
    await world.control('POST', '/scenarios', { steps: [{ ...step, afterMs: 60_000, value: 'on' }] })
    await world.clock.advance('PT5M')
    await world.fetch('/stg/us/guest/zipCode?zipCode=07660', asGuest)
  })
  const { played } = readData((await show(file)).stdout)
  const told = Object.entries(played).filter(([, { changes = [] }]) =>
    changes.some((each) => each.collection === 'devices'),
  )
  expect(told.map(([step]) => step)).toEqual(['3'])
})

test('the case page, archive, diagram and script contain no secret issued during the recording', async () => {
  const canaries: string[] = []
  const file = await recordCase(async (world) => {
    const reply = await world.tokens.issue({
      user: 'alice-home',
      scopes: ['r:devices:*'],
      locations: [],
      expiresIn: 60,
    })
    canaries.push(reply.accessToken)
    const seller = { secret: '987654321098', name: 'Canary' }
    await world.control('PUT', '/records/sellers/987654321098', seller)
    canaries.push(seller.secret)
    await world.fetch('/subscriptions', { headers: { authorization: `Bearer ${reply.accessToken}` } })
  })
  for (const format of ['html', 'har', 'mermaid', 'curl']) {
    const { code, stdout } = await show(file, '--format', format)
    expect(code).toBe(0)
    for (const canary of canaries) expect(stdout).not.toContain(canary)
  }
})

test('with --with, the case page names the first step that differs in the other case', async () => {
  const other = join(makeTemporaryFolder(), 'other.jsonl')
  writeFileSync(other, readFileSync(BOOKINGS, 'utf8').replaceAll('"lastName\\":\\"Case 3', '"lastName\\":\\"Case 9'))
  const page = readData((await show(BOOKINGS, '--with', other)).stdout)
  expect(page.other).toMatchObject({ name: 'other.jsonl', step: 5 })
})

test('the case page of a hostile case escapes all data of the case', async () => {
  const file = join(makeTemporaryFolder(), 'hostile.jsonl')
  const hostile = makeHostileCase()
  writeFileSync(file, writeCase(hostile))
  const { code, stdout } = await show(file)
  expect(code).toBe(0)
  expect(readData(stdout).steps).toEqual(hostile.steps)
  const around = stdout.replace(/(<script type="application\/json" id="data">).*?<\/script>/s, '$1')
  expect(around).not.toContain('struck')
  expect(around.match(/<script/g)).toHaveLength(2)
})

test('the case page is at most 350 KB larger than four times its steps', async () => {
  const file = await recordCase(async (world) => {
    const { items } = await world.records.list('tickets', { limit: 100 })
    for (const item of items) await world.records.delete('tickets', String((item as { srid: string }).srid))
  })
  const lines = readFileSync(file, 'utf8').split('\n').slice(1).join('\n')
  const { stdout } = await show(file)
  expect(Buffer.byteLength(stdout)).toBeLessThan(350_000 + 4 * Buffer.byteLength(lines))
})

test.each([
  [['none.jsonl'], 'cannot read none.jsonl'],
  [[BOOKINGS, '--format', 'pdf'], 'pdf is not one of html, mermaid, har, curl'],
  [[BOOKINGS, '--step', '99'], '--step 99 does not exist. The case has 14 steps'],
  [[BOOKINGS, '--with', join(import.meta.dirname, 'show.test.ts')], 'the case cannot be shown'],
  [[BOOKINGS, '--format', 'har', '--with', BOOKINGS], '--with requires --format html'],
  [[BOOKINGS, '--out', BOOKINGS], 'file already exists'],
])('show with the arguments %j exits with code 2 and a message', async (args, message) => {
  const { code, stdout, stderr } = await show(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

test('the case page reports a case without an initial state', async () => {
  const [, ...lines] = readFileSync(BOOKINGS, 'utf8').split('\n')
  for (const header of [{ case: 2, origin: 'upstream' }, { case: 2 }, { case: 2, name: 'torn', version: '0.1.0' }]) {
    const file = join(makeTemporaryFolder(), 'without.jsonl')
    writeFileSync(file, [JSON.stringify(header), ...lines].join('\n'))
    const { code, stdout } = await show(file)
    expect(code).toBe(0)
    const { about, played, steps } = readData(stdout)
    expect([steps.length, Object.keys(played)]).toEqual([14, []])
    expect(about.notes.join()).toContain('has no initial state')
  }
})
