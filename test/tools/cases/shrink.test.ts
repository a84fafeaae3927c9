import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseCase } from '../../../src/contract/files/case.ts'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { runCommand } from '../../../src/cli/run.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { createTicket, newServiceToken, soap } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { openFrames } from './open-frames.ts'
import { createCustomers, findScarceSlot, recordCase } from './record-scenarios.ts'

const guest = { 'request-source': 'vendor.com' }

async function open() {
  const server = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(() => server.close())
  const folder = makeTemporaryFolder()
  let printed = ''
  const output = {
    stdout: { write: (text: string) => (printed += text) },
    stderr: { write: (text: string) => (printed += text) },
  }
  return {
    url: server.url,
    file: (name: string) => join(folder, name),
    run: (args: string[]) => runCommand(args, output),
    printed: () => printed,
  }
}

const noise = async (url: string, count: number) => {
  for (let i = 0; i < count; i += 2) {
    await call(`${url}/stg/us/guest/zipCode?zipCode=0766${i % 10}`, 'GET', undefined, guest)
    await call(`${url}/stg/us/guest/customerFeedback`, 'POST', { rating: 1 + (i % 5), comment: 'c' }, guest)
  }
}
const change = async (url: string, record: string, fields: object) => {
  const { json } = await call(`${url}/_control/records/${record}`, 'GET')
  await call(`${url}/_control/records/${record}`, 'PUT', { ...json, ...fields })
}

/**
 * Each function changes the world in the course of `steps` steps. The response to the last request shows the change.
 */
const planted: Readonly<Record<string, (url: string, steps: number) => Promise<unknown>>> = {
  async 'an oversold slot'(url, steps) {
    const { slot, remaining } = await findScarceSlot(url)
    const [last, ...earlier] = await createCustomers(url, remaining)
    for (const bpNo of earlier) await createTicket(url, slot, bpNo)
    await noise(url, steps / 2)
    const { json } = await call(`${url}/_control/records/bookings?slotId=${slot.timeSlot}&limit=1`, 'GET')
    const [booking] = json['items'] as object[]
    const more = { ...booking, appointmentId: 'A-9999999999999999', srid: '9999999999', holder: 'bp:9999999999' }
    await call(`${url}/_control/records/bookings/A-9999999999999999`, 'PUT', more)
    await noise(url, steps / 2)
    // The last place was booked although the calendar was not requested.
    const { text } = await createTicket(url, slot, last)
    expect(text).toContain('fully booked')
  },
  async 'a wrong renewal'(url, steps) {
    const purchase = { sellerSecret: '123456789012', itemID: 'gold', period: 'P1M', price: 4.99, currency: 'USD' }
    const { json } = await call(`${url}/_control/purchases`, 'POST', { ...purchase, country: 'USA' })
    await noise(url, steps / 2)
    await change(url, `purchases/${String(json['purchaseID'])}`, { price: 49.9 })
    await noise(url, steps / 2)
    await call(`${url}/_control/clock/advance`, 'POST', { duration: 'P1M' })
    const inputs = `<purchaseID>${String(json['purchaseID'])}</purchaseID>`
    const token = `<serviceToken>${await newServiceToken(url)}</serviceToken>`
    expect(await soap(url, 'getSubscriptionStatus', inputs + token)).toContain('<localPrice>49.900')
  },
  async 'a lost event'(url, steps) {
    const bearer = { authorization: 'Bearer token-home' }
    const light = 'aaaaaaaa-0000-4000-8000-000000000001'
    const body = { name: 'case', subscriptionFilters: [{ type: 'DEVICEIDS', value: [light] }] }
    const { json } = await call(`${url}/subscriptions`, 'POST', body, bearer)
    const address = String(json['registrationUrl'])
    const first = await openFrames(address)
    const emit = (value: string) =>
      call(`${url}/_control/devices/${light}/events`, 'POST', { capability: 'switch', attribute: 'switch', value })
    await emit('on')
    const { id } = (await first.take(2)).at(-1)!
    await noise(url, steps / 2)
    // Another client opens the same stream. It receives the event after which the first client resumes.
    const second = await openFrames(address)
    await emit('off')
    await second.take(2)
    await noise(url, steps / 2)
    const back = await fetch(address, { headers: { 'last-event-id': id! } })
    expect(back.status).toBe(204)
    await second.cut()
  },
}

test.each([
  [100, 'an oversold slot'],
  [100, 'a wrong renewal'],
  [500, 'a lost event'],
])('a recorded run of %i steps that shows %s shrinks to at most eight steps', async (count, name) => {
  const { url, file, run: command, printed } = await open()
  const text = await recordCase(url, (world) => planted[name]!(world, count), {
    name: 'planted',
    seed: 'planted',
    now: '2026-05-04T12:00:00Z',
  })
  const steps = parseCase(text).steps
  expect(steps.length).toBeGreaterThan(count)
  writeFileSync(file('long.jsonl'), text)
  const last = steps.findLast((step) => 'call' in step)!
  const args = ['case', 'shrink', file('long.jsonl'), '--out', file('short.jsonl'), '--step', String(last.step)]
  expect([await command(args), printed()]).toEqual([0, expect.stringMatching(/^\d of \d+ steps remain/)])
  const short = readFileSync(file('short.jsonl'), 'utf8')
  const left = parseCase(short).steps
  expect(left.length).toBeLessThanOrEqual(8)
  expect(left.at(-1)).toMatchObject({ reply: { status: 'reply' in last ? last.reply.status : undefined } })
  const shows = { 'an oversold slot': 'A-9999999999999999', 'a wrong renewal': '49.9', 'a lost event': '/activate' }
  expect(short.slice(short.indexOf('\n'))).toContain(shows[name as keyof typeof shows])
  expect(await replayText(short)).toMatchObject({ same: true })
})

test.each([
  ['reset', { reset: true }],
  ['503', { status: 503 }],
])('a shrunk case can be replayed after the fault %s of a remaining step was removed', async (_, respond) => {
  const { url, file, run } = await open()
  const text = await recordCase(
    url,
    async (world) => {
      const { slot, remaining } = await findScarceSlot(world)
      const [customer] = await createCustomers(world, remaining)
      await call(`${world}/_control/faults`, 'POST', { match: { operation: 8 }, respond, when: 'after', times: 1 })
      await createTicket(world, slot, customer).catch(() => {})
      await noise(world, 4)
      await createTicket(world, slot, customer)
    },
    { name: 'planted', seed: 'planted', now: '2026-05-04T12:00:00Z' },
  )
  writeFileSync(file('long.jsonl'), text)
  expect(await replayText(text)).toMatchObject({ same: true })
  expect(await run(['case', 'shrink', file('long.jsonl'), '--out', file('short.jsonl')])).toBe(0)
  const short = readFileSync(file('short.jsonl'), 'utf8')
  expect(short).not.toContain('/_control/faults')
  expect(await replayText(short)).toMatchObject({ same: true })
})

test('a shrunk case can be replayed after the fault of a HEAD request was removed', async () => {
  const { url, file, run } = await open()
  const record = async (world: string) => {
    const respond = { status: 200, headers: { 'x-cache': 'hit' } }
    await call(`${world}/_control/faults`, 'POST', { match: { path: '/stg/us/*' }, respond })
    await fetch(`${world}/stg/us/guest/zipCode?zipCode=07660`, { method: 'HEAD', headers: guest })
  }
  const text = await recordCase(url, record, { name: 'head' })
  expect(text).toContain('"x-vendor-cloud-fault":')
  writeFileSync(file('long.jsonl'), text)
  expect(await run(['case', 'shrink', file('long.jsonl'), '--out', file('short.jsonl')])).toBe(0)
  const short = readFileSync(file('short.jsonl'), 'utf8')
  expect(parseCase(short).steps).toHaveLength(1)
  expect(await replayText(short)).toMatchObject({ same: true })
})

test('the record command runs a program in a temporary world and saves a case', async () => {
  const { url, file, run } = await open()
  const script = `const headers = { 'request-source': 'vendor.com' }
    await fetch(process.env.VENDOR_CLOUD_URL + '/stg/us/guest/zipCode?zipCode=07660', { headers })
    process.exit(7)`
  const args = [
    'record',
    '--out',
    file('case.jsonl'),
    '--url',
    url,
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ]
  expect(await run(args)).toBe(7)
  const text = readFileSync(file('case.jsonl'), 'utf8')
  expect(text).toContain('/stg/us/guest/zipCode?zipCode=07660')
  expect(await replayText(text)).toMatchObject({ same: true, steps: 1 })
  expect((await call(`${url}/_control/worlds`, 'GET')).json['totalCount']).toBe(1)
})

test('replay exits with code 1 for differences and 2 for an invalid case', async () => {
  const { file, run } = await open()
  const name = join(import.meta.dirname, 'month-end.jsonl')
  expect(await run(['replay', name])).toBe(0)
  const changed = readFileSync(name, 'utf8').replaceAll('"reply":{"status":200', '"reply":{"status":202')
  writeFileSync(file('other.jsonl'), changed)
  expect(await run(['replay', file('other.jsonl')])).toBe(1)
  writeFileSync(file('none.jsonl'), 'none')
  expect(await run(['replay', file('none.jsonl')])).toBe(2)
})
