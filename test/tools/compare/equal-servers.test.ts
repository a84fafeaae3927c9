import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { openVendor } from './changed-server.ts'
import { compare, describe, record } from './compared.ts'
import { openFrames } from '../cases/open-frames.ts'
import { visit } from './visits.ts'

/** `npm test` uses one seed. `npm run test:compare` uses twenty seeds and sends more requests. */
const seeds = process.env['COMPARED_SEEDS']?.split(',')

test('compare reports no differences between servers that differ only in their seed', async () => {
  const visits = seeds ? 5 : 2
  const text = await record(async (url) => {
    for (let i = 0; i < visits; i++) await visit(url)
  })
  for (const seed of seeds ?? ['theirs']) {
    const { code, report } = await compare(text, '--upstream', await openVendor({}, seed), '--allow-writes')
    expect([seed, code, describe(report), report.calls]).toEqual([seed, 0, [], visits * 41])
    expect(report.streams).toEqual({ compared: visits * 2, notCompared: 0 })
    expect(report.left).toEqual({ writes: 0, secrets: 0, control: 0 })
  }
})

test('compare reports no differences between two worlds with running clocks', async () => {
  const server = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  onTestFinished(() => server.close())
  for (const name of ['ours', 'theirs']) await call(`${server.url}/_control/worlds`, 'POST', { name })
  const url = `${server.url}/w/ours`
  await call(`${url}/_control/recordings`, 'POST', {})
  await visit(url)
  const text = await (await fetch(`${url}/_control/recordings/current`)).text()
  const { code, report } = await compare(text, '--upstream', `${server.url}/w/theirs`, '--allow-writes')
  expect([code, describe(report), report.calls]).toEqual([0, [], 41])
})

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'

function emit(url: string, value: string) {
  const event = { capability: 'switch', attribute: 'switch', value, force: true }
  return call(`${url}/_control/devices/${LIGHT}/events`, 'POST', event)
}

async function followLight(url: string): Promise<void> {
  const body = { name: 's', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const { json } = await call(`${url}/subscriptions`, 'POST', body, { authorization: 'Bearer token-home' })
  const stream = await openFrames(String(json['registrationUrl']))
  for (const value of ['on', 'off']) await emit(url, value)
  await stream.take(3)
  await stream.cut()
}

test.each([
  ['no events', 0, 0],
  ['the same events immediately', 2, 0],
  ['the same events half a second later', 2, 500],
  ['only the first event', 1, 0],
])('device events are not reported as a difference if the upstream sends %s', async (_, count, late) => {
  const text = await record(followLight)
  const upstream = await openVendor({}, 'theirs')
  const compared = compare(text, '--upstream', upstream, '--allow-writes')
  const opened = async () => {
    const { json } = await call(`${upstream}/_control/streams`, 'GET')
    return (json['items'] as unknown[]).length > 0
  }
  if (count > 0) await vi.waitUntil(opened, { timeout: 10_000, interval: 10 })
  await sleep(late)
  for (const value of ['on', 'off'].slice(0, count)) await emit(upstream, value)
  const { code, report } = await compared
  expect([code, describe(report), report.streams]).toEqual([0, [], { compared: 1, notCompared: 0 }])
})
