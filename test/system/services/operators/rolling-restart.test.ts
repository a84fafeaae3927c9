import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, install, readiness, send } from '../installation.ts'
import { findPort } from '../servers.ts'
import { startNginx } from './nginx.ts'

const CLIENTS = 8
const INSTANCES = 3

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

const startAt = (port: number) =>
  installation.startInstance({ more: { PORT: String(port), SHUTDOWN_DELAY: '8', TRUST_PROXY: 'loopback' } })

/** Starts clients that post unique comments one after the other until they are stopped. */
function post(url: string) {
  const sent: string[] = []
  const failures: string[] = []
  const over = new AbortController()
  const client = async (number: number) => {
    for (let i = 0; !over.signal.aborted; i++) {
      const comment = `${number}-${i}`
      sent.push(comment)
      const answer = await send('POST', `${url}/stg/us/guest/customerFeedback`, { rating: 5, comment }, guest).catch(
        (error: Error) => ({ status: `${error.message}: ${String(error.cause)}` }),
      )
      if (answer.status !== 200) failures.push(`${comment}: ${answer.status}`)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
  return {
    sent,
    failures,
    async further(count: number) {
      const from = sent.length
      await expect.poll(() => sent.length).toBeGreaterThanOrEqual(from + count)
    },
    async stop() {
      over.abort()
      await Promise.all(clients)
    },
  }
}
const guest = { 'request-source': 'vendor.com' }

async function readComments(url: string): Promise<string[]> {
  const comments: string[] = []
  for (let total = 1; comments.length < total; ) {
    const query = `limit=100&offset=${comments.length}`
    const { body } = await send('GET', `${url}/_control/records/feedback?${query}`)
    const { items, totalCount } = body as { items: { comment: string }[]; totalCount: number }
    comments.push(...items.map(({ comment }) => comment))
    total = totalCount
  }
  return comments
}

test('no POST is lost or duplicated while three instances behind nginx restart in turn', async () => {
  const ports: number[] = []
  while (ports.length < INSTANCES) ports.push(await findPort())
  const running = await Promise.all(ports.map(startAt))
  const before = await readComments(running[0]!.url)
  const nginx = await startNginx(ports.map((port) => `127.0.0.1:${port}`))
  const clients = post(nginx.url)
  for (const [i, port] of ports.entries()) {
    const { url, stop } = running[i]!
    const ended = stop('SIGTERM')
    await expect.poll(() => nginx.passesTo(`127.0.0.1:${port}`)).toBe(false)
    // The port is still open, but requests soon stop arriving.
    await expect.poll(() => comesNobody(url, clients)).toBe(true)
    expect(await readiness(url)).toBe(503)
    expect(await ended).toBe(0)
    running[i] = await startAt(port)
    // Waits until the instance receives requests again, and only then stops the next instance.
    await expect.poll(() => countAsked(url)).toBeGreaterThan(0)
  }
  await clients.stop()
  expect(clients.failures).toEqual([])
  const kept = (await readComments(running[0]!.url)).filter((comment) => !before.includes(comment))
  expect(kept.toSorted()).toEqual(clients.sent.toSorted())
})

async function comesNobody(url: string, { further }: ReturnType<typeof post>): Promise<boolean> {
  const before = await countAsked(url)
  await further(2 * CLIENTS)
  return (await countAsked(url)) === before
}

async function countAsked(url: string): Promise<number> {
  const { body } = await send('GET', `${url}/_control/journal?operation=22&limit=1`)
  return Number(body['totalCount'])
}
