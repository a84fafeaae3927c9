// Typical tests for each runner. One of them passes, and one fails.
const body = `
const zip = { headers: { 'request-source': 'vendor.com' } }

test('the city is known', async ({ world }) => {
  const reply = await fetch(world.url + '/stg/us/guest/zipCode?zipCode=07660', zip)
  const { city } = (await reply.json()) as GetGuestZipCodeReply
  expect(city).toBe('Ridgefield Park')
})

test('the city is another', async ({ world }) => {
  const reply = await world.fetch('/stg/us/guest/zipCode?zipCode=1', zip)
  expect(reply.status).toBe(200)
})
`
const common = body.replace(' as GetGuestZipCodeReply', '').replace('(await reply.json())', 'await reply.json()')
const types = `import type { GetGuestZipCodeReply } from 'vendor-cloud/types'`
/** Vitest counts this test as passed, so no case is saved. */
const failsAsExpected = `
test.fails('the city is none', async ({ world }) => {
  expect((await world.fetch('/stg/us/guest/zipCode?zipCode=2', zip)).status).toBe(200)
})
`

/** The runner's default timeout is too short on a busy machine. */
const LONG = '--testTimeout=60000'

export interface TestedRunner {
  name: string
  /** Path of the test file in the folder of the runner. */
  file: string
  text: string
  /** A program in `node_modules`, followed by its arguments. */
  run: readonly string[]
  /** Expected output if one test passes and one fails. */
  says: RegExp
}

export const testedRunners: readonly TestedRunner[] = [
  {
    name: 'Vitest',
    file: 'vitest/city.test.ts',
    text: `import { expect } from 'vitest'\nimport { test } from 'vendor-cloud/vitest'\n${types}\n${body}${failsAsExpected}`,
    run: ['vitest/vitest.mjs', 'run', '--root', 'vitest', '--maxWorkers=1', LONG, '--hookTimeout=60000'],
    says: /1 failed \| 1 passed \| 1 expected fail/,
  },
  {
    name: 'Jest, in CommonJS',
    file: 'jest/city.test.js',
    text: `const { test } = require('vendor-cloud/jest')\n${common}`,
    run: ['jest/bin/jest.js', '--rootDir', 'jest', '--no-watchman', '--runInBand', LONG],
    says: /1 failed, 1 passed/,
  },
  {
    name: 'Playwright',
    file: 'playwright/city.spec.ts',
    text: `import { expect } from '@playwright/test'
import { test } from 'vendor-cloud/playwright'
${types}
${body}`,
    run: ['@playwright/test/cli.js', 'test', 'playwright', '--reporter', 'line', '--workers', '1', '--timeout=60000'],
    says: /1 failed\n[\s\S]*1 passed/,
  },
]
