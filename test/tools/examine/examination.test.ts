import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/tools/client/types.ts'
import type { Environment, Scenario } from '../../../src/tools/examine/check.ts'
import { Transcript } from '../../../src/tools/examine/transcript.ts'
import { listChecks, scenarios } from '../../../src/tools/examine/scenarios/contents.ts'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { expectToFailAlone, findWrong, launchTestClient } from './clients.ts'
import { inProcess, playScenario, toText } from './run.ts'
import { soap } from '../../system/acceptance/flow.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({ settings: { HEARTBEAT_SECONDS: '0.5' } })
})
afterAll(() => server.stop())

const checks = listChecks()

test('there are at least 60 checks, and each has a unique name and a source', () => {
  expect(checks.length).toBeGreaterThanOrEqual(60)
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  for (const { source } of checks)
    expect(source).toMatch(/^(?:document [123], |RFC \d+|HTML Standard|SOAP 1\.1|XML 1\.0|Namespaces|our choice)/)
})

/**
 * Excludes billing-sunset, which takes seven seconds. Of the kinds of variation, includes only one per format. `npm run
 * test:grades` runs all of them.
 */
const isShort = ({ name }: Scenario) =>
  name !== 'billing-sunset' && !/-(?:json|http|sse|soap)-(?!extra|chunked|cuts)/.test(name)

test('the reference clients reach grade A, because they cover and pass every check', async () => {
  const played = scenarios.filter(isShort)
  const {
    grade,
    checks: told,
    scenarios: reports,
  } = await playScenario(server, '', (given) => launchTestClient(given), { scenarios: played, atOnce: 16 })
  expect(findWrong(told).map(toText).join('\n')).toBe('')
  const met = checks.filter(({ scenario }) => scenario === undefined || played.some(({ name }) => name === scenario))
  expect(told.map(({ name }) => name)).toEqual(met.map(({ name }) => name))
  expect(reports.filter(({ problem }) => problem)).toEqual([])
  expect(grade).toBe('A')
})

/** One check from each document. `npm run test:grades` runs all checks. */
test.each(['asks-for-slots', 'forgets-half-events', 'wallet-takes-json-order', 'renews-once'])(
  'a client with only the flaw %s fails only that check',
  (name) => expectToFailAlone(server, checks.find((each) => each.name === name)!, 'matrix'),
)

test.each([
  ['sse-line-ends', ['passed', 'passed', 'failed']],
  ['sse-bom', ['passed', 'failed', 'failed']],
] as const)(
  'the check for the variation %s gives expected verdicts for recent and older event IDs',
  (kind, verdicts) => {
    const at = '2026-05-06T16:00:00.000Z'
    const open = (id: number, headers: Record<string, string>) =>
      ({
        id,
        at,
        kind: 'request',
        operation: 'stream',
        method: 'GET',
        request: { headers },
        variation: [kind],
      }) satisfies JournalEntry
    const frame = (id: number) =>
      ({
        id,
        at,
        kind: 'frame',
        frame: { subscriptionId: 's', event: 'DEVICE_EVENT', id: `1-${id}`, data: {} },
      }) satisfies JournalEntry
    const check = checks.find(({ name }) => name === `events-takes-${kind}`)!
    const evaluate = (shown: string) => {
      const entries: JournalEntry[] = [open(1, {}), frame(2), frame(3), frame(4), open(5, { 'last-event-id': shown })]
      const verdict = check.evaluate(new Transcript(entries, new Map([['disturbed', 4]])))
      return typeof verdict === 'string' ? verdict : 'failed'
    }
    expect(['1-4', '1-3', '1-2'].map(evaluate)).toEqual(verdicts)
  },
)

test('a client that sends no expected request and does not exit is reported as hanging', async () => {
  const launch = ({ VENDOR_CLOUD_URL: url }: Environment) => {
    void fetch(`${url}/wallet`)
    return { ended: new Promise<never>(() => {}), stop: async () => true }
  }
  const report = await playScenario(server, 'wallet-away', launch, { patience: 300 })
  expect(report.scenarios[0]!.problem).toBe('the client hangs: no sign of operation checkAvailability')
})

test('a failed check reports that the client exited before the end of the scenario', async () => {
  const launch = ({ VENDOR_CLOUD_URL: url }: Environment) =>
    inProcess(async () => {
      const text = await soap(url!, 'createServiceToken', '<secret>123456789012</secret>')
      const [, token] = /<output>(\w+)</.exec(text) ?? []
      const inputs = `<purchaseID>purchase-active</purchaseID><serviceToken>${token}</serviceToken>`
      await soap(url!, 'getSubscriptionStatus', inputs)
    })
  const { checks: told } = await playScenario(server, 'billing-soap-missing', launch)
  expect(told.find(({ name }) => name === 'billing-takes-soap-missing')).toMatchObject({
    verdict: 'failed',
    problem:
      'the client exited after 2 requests, but the scenario waited for operation getSubscriptionStatus with status 200',
  })
})
