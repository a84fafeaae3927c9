import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startVendorCloud } from '../../../src/index.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js')
const FILE = join(ROOT, 'openapi/workflows.arazzo.yaml')
const { workflows, sourceDescriptions } = parse(readFileSync(FILE, 'utf8')) as {
  workflows: { workflowId: string }[]
  sourceDescriptions: { name: string }[]
}

async function redocly(...args: string[]): Promise<{ code: number; said: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const run = promisify(execFile)(process.execPath, [REDOCLY, ...args], { env, cwd: ROOT })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  )
}

function respect(url: string) {
  return redocly('respect', FILE, ...sourceDescriptions.flatMap(({ name }) => ['-S', `${name}=${url}`]))
}

async function start() {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  return cloud
}

test('all eight workflows succeed one after the other, and succeed again in the same world', async () => {
  const { url } = await start()
  for (let i = 0; i < 2; i++) {
    const { code, said } = await respect(url)
    expect(said).toContain('Workflows: 8 passed, 8 total')
    expect(code).toBe(0)
  }
})

const failing: Readonly<Record<string, { operation: number | string; step: string; respond?: object }>> = {
  'find-a-counter': { operation: 36, step: 'nearest' },
  'visit-a-counter': { operation: 34, step: 'detail' },
  'find-the-fault': { operation: 29, step: 'guide' },
  'keep-a-customer': { operation: 12, step: 'products' },
  'repair-at-home': { operation: 9, step: 'move' },
  'subscribe-to-a-home': { operation: 'updateSubscription', step: 'narrow' },
  'know-a-device': { operation: 24, step: 'by-imei' },
  'bill-a-subscription': { operation: 'getSubscriptionStatus', step: 'status', respond: { fault: -1 } },
}

test('this file lists a failing operation for each workflow', () => {
  expect(workflows.map(({ workflowId }) => workflowId)).toEqual(Object.keys(failing))
})

test('each workflow fails at the step whose operation fails', async () => {
  const world = await (await start()).world()
  for (const { operation, respond = { status: 503 } } of Object.values(failing)) {
    await world.faults.add({ match: { operation }, respond: respond as never })
  }
  const { code, said } = await respect(world.url)
  const failed = [...said.matchAll(/Workflow name: (\S+)\s+stepId - (\S+)/g)].map(([, name, step]) => [name, step])
  expect(failed).toEqual(Object.entries(failing).map(([name, { step }]) => [name, step]))
  expect(said).toContain('Workflows: 8 failed, 8 total')
  expect(said).toMatch(/Steps: \d+ passed, 8 failed/)
  expect(code).toBe(1)
})

test('the workflow file, the SOAP description and the event descriptions are valid', async () => {
  const { url } = await start()
  const file = join(makeTemporaryFolder(), 'events.json')
  const events = await (await fetch(`${url}/openapi/events.json?version=3.2`)).text()
  writeFileSync(file, events)
  const billing = join(ROOT, 'openapi/billing.yaml')
  const config = join(ROOT, 'scripts/writers/redocly.yaml')
  const { code, said } = await redocly('lint', '--config', config, '--max-problems', '3', FILE, billing, file)
  expect([code, said.match(/You have \d+ .*/)?.[0]]).toEqual([0, undefined])
  const stream = JSON.parse(events).paths['/filters/{subscriptionId}/activate'].get.responses[200].content
  expect(Object.keys(stream['text/event-stream'])).toEqual(['itemSchema'])
  expect(await (await fetch(`${url}/openapi/events.json`)).json()).toMatchObject({ openapi: '3.1.0' })
  expect((await fetch(`${url}/openapi/events.json?version=4`)).status).toBe(400)
})
