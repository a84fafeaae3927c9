import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { readParts, writeParts } from '../../helpers/documents/snapshots.ts'

const CUSTOMERS = 100_000
/**
 * Maximum wait as a proportion of the total time. If the work were done in a single step, the longest wait would be
 * almost the total time, even on a busy machine.
 */
const LONGEST_WAIT = 1 / 3

test('saving and restoring a snapshot of 100,000 records does not delay other requests', async () => {
  const server = await startProcess({ RATE_LIMIT: '' })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const url = `${server.url}/_control/snapshot`
  const parts = readParts(await (await fetch(url)).text())
  const [customer] = parts.records.customers
  parts.records.customers = Array.from({ length: CUSTOMERS }, (_, i) => ({
    ...customer,
    bpNo: String(5_000_000_000 + i),
  }))
  const text = writeParts(parts)

  const restored = await waitBeside(server.url, () => fetch(url, { method: 'PUT', body: text }))
  expect(restored.reply.status).toBe(204)
  const taken = await waitBeside(server.url, async () => (await fetch(url)).text())
  expect(taken.reply.match(/"bpNo":"5\d{9}"/g)).toHaveLength(CUSTOMERS)
  expect(restored.longest).toBeLessThan(LONGEST_WAIT)
  expect(taken.longest).toBeLessThan(LONGEST_WAIT)
})

/**
 * Returns the response of a call, and the longest time that other requests waited during the call. Sends 100 requests
 * per second, because more would take CPU time from the call.
 */
async function waitBeside<T>(url: string, call: () => Promise<T>): Promise<{ reply: T; longest: number }> {
  const over = new AbortController()
  const asked = call().finally(() => over.abort())
  const began = performance.now()
  let longest = 0
  while (!over.signal.aborted) {
    const before = performance.now()
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    longest = Math.max(longest, performance.now() - before)
    await setTimeout(10)
  }
  return { reply: await asked, longest: longest / (performance.now() - began) }
}
