import { expect, onTestFinished, test } from 'vitest'
import { createServedTools } from '../../../src/cli/mcp/served-tools.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { collectGarbage, liveAndDie } from '../../server/worlds/lives.ts'

/** Maximum bytes per world, less than the size of a recording. Compiled code also needs some of this memory. */
const TRACE = 500_000

async function measureHeap(): Promise<number> {
  await collectGarbage()
  return process.memoryUsage().heapUsed
}

test.each([
  ['memory', () => ({})],
  ['disk', () => ({ DATA_DIR: makeTemporaryFolder() })],
])('the memory of deleted worlds is released with the %s engine', async (_, settings) => {
  const server = await startServer(readConfig({ PORT: '0', SIMULATE: '1', ...settings() }), { mcp: createServedTools })
  onTestFinished(() => server.close())
  await liveAndDie(server, 'first')
  await liveAndDie(server, 'second')
  // Compiled code is stored only once, but a leak grows with each world.
  for (let left = Number.POSITIVE_INFINITY, tries = 3; left >= 3 * TRACE; tries--) {
    expect(tries, `${left} bytes are left of three worlds`).toBeGreaterThan(0)
    const before = await measureHeap()
    const seen = [...(await liveAndDie(server, 'third')), ...(await liveAndDie(server, 'fourth'))]
    await liveAndDie(server, 'last')
    left = (await measureHeap()) - before
    // A socket that is not closed yet may still reference the last world.
    expect(seen.filter((each) => each.deref())).toEqual([])
  }
})

test('recording a world needs little memory, and a deleted recorded world needs none', async () => {
  const { fetch: ask, worlds, close } = await startServer(readConfig({}), { listen: false })
  onTestFinished(close)
  const send = async (method: 'POST' | 'DELETE', url: string, payload?: object) => {
    const body = payload && JSON.stringify(payload)
    const reply = await ask(new Request(`http://localhost${url}`, { method, ...(body && { body }) }))
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`)
  }
  const begin = async (name: string, isRecorded: boolean) => {
    await send('POST', '/_control/worlds', { name })
    if (isRecorded) await send('POST', `/w/${name}/_control/recordings`, {})
  }
  const heapOf = async (isRecorded: boolean) => {
    const names = Array.from({ length: 20 }, (_, i) => `${isRecorded ? 'recorded' : 'plain'}-${i}`)
    const before = await measureHeap()
    for (const name of names) await begin(name, isRecorded)
    const held = ((await measureHeap()) - before) / names.length
    for (const name of names) await send('DELETE', `/_control/worlds/${name}`)
    return held
  }
  await heapOf(true)
  expect((await heapOf(true)) - (await heapOf(false))).toBeLessThan(100_000)

  const beginAndEnd = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await begin('short', true)
      const headers = { 'request-source': 'vendor.com' }
      await ask(new Request('http://localhost/w/short/stg/us/guest/zipCode?zipCode=07660', { headers }))
      await send('DELETE', '/_control/worlds/short')
    }
  }
  await beginAndEnd(200)
  const before = await measureHeap()
  await beginAndEnd(500)
  expect((await measureHeap()) - before).toBeLessThan(3 * TRACE)
  expect(worlds.list()).toHaveLength(1)
})
