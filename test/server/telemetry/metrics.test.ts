import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { asGuest, makeTestApp } from '../../helpers/build-test-app.ts'
import { call, SECRET } from '../../helpers/documents/soap.ts'

const DASHBOARD = join(import.meta.dirname, '../../../deploy/grafana/dashboard.json')

interface Panel {
  title: string
  targets: { expr: string }[]
}

/** Uses a separate server, because other tests share a server whose counters are not reset. */
function buildFreshApp(): FastifyInstance {
  const { app, close } = makeTestApp()
  onTestFinished(close)
  return app
}

const scrape = async (app: FastifyInstance) => (await app.inject('/metrics')).payload

test('the histogram of request durations has the labels operation, route and status', async () => {
  const app = buildFreshApp()
  for (const zipCode of ['07660', '00000', '07661']) {
    await app.inject({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: asGuest() })
  }
  for (const prefix of ['', '/v1']) await app.inject({ method: 'POST', url: `${prefix}/subscriptions`, payload: {} })
  const payload = call('createServiceToken', { secret: SECRET })
  await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' }, payload })
  await app.inject('/nowhere')
  const text = await scrape(app)
  const counts = [...text.matchAll(/^vendor_cloud_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
  expect(Object.fromEntries(counts.map(([, labels, count]) => [labels, count]))).toEqual({
    'operation="30",route="/stg/us/guest/zipCode",status="200"': '2',
    'operation="30",route="/stg/us/guest/zipCode",status="404"': '1',
    'operation="createSubscription",route="/subscriptions",status="401"': '1',
    'operation="createSubscription",route="/v1/subscriptions",status="401"': '1',
    'operation="createServiceToken",route="/iap/ws/RTCService",status="200"': '1',
    'operation="unknown",route="unknown",status="404"': '1',
  })
  expect(text).toContain('vendor_cloud_requests_total{operation="createSubscription",status="401"} 2\n')
})

test('/metrics contains no duplicate series', async () => {
  const app = buildFreshApp()
  for (const url of ['/nowhere', '/stg/nowhere', '/_control/nowhere', '/wallet/nowhere', '/', '/metrics']) {
    await app.inject(url)
    await app.inject({ method: 'POST', url })
  }
  const series = (await scrape(app)).split('\n').flatMap((line) => (line.startsWith('#') ? [] : line.split(' ')[0]!))
  expect(series.filter((each, i) => each !== '' && series.indexOf(each) !== i)).toEqual([])
})

test('the Grafana dashboard uses only metrics and labels that /metrics has', async () => {
  const app = buildFreshApp()
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  const text = await scrape(app)
  const known = new Map<string, Set<string>>()
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const seen = known.get(name!) ?? new Set(['instance', 'job'])
    for (const [, label] of labels.matchAll(/(\w+)="/g)) seen.add(label!)
    known.set(name!, seen)
  }
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: Panel[] }
  expect(panels.length).toBeGreaterThan(8)
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const [, name = ''] = /\b((?:vendor_cloud|process|nodejs)_\w+)\{/.exec(expr) ?? []
      const used = [...expr.matchAll(/(\w+)=~?"/g), ...expr.matchAll(/by \((\w+)(?:, (\w+))?\)/g)]
      const labels = used.flatMap(([, ...found]) => found.filter((label) => label !== undefined))
      expect([title, known.has(name)]).toEqual([title, true])
      expect([title, labels.filter((label) => !known.get(name)!.has(label))]).toEqual([title, []])
    }
  }
})
