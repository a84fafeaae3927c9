import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

async function send(method: string, url: string, body?: unknown): Promise<number> {
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }) }
  const reply = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  if (reply.status >= 400) expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } })
  return reply.status
}

test('requests to a repeatedly deleted, reset and recreated world return only 200, 404 or 409', async () => {
  const server = await startProcess({ DATA_DIR: join(makeTemporaryFolder(), 'data'), RATE_LIMIT: '' })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const { url } = server
  const statuses = new Set<number>()
  const rounds = new AbortController()
  const write = async (writer: number) => {
    for (let i = 0; !rounds.signal.aborted; i++) {
      const name = `w${writer}-${i}`
      const world = writer % 2 === 0 ? '/w/a' : ''
      statuses.add(await send('PUT', `${url}${world}/_control/records/settings/${name}`, { name, value: 'x' }))
    }
  }
  const writers = Array.from({ length: 6 }, (_, writer) => write(writer))
  for (let round = 0; round < 3; round++) {
    await send('POST', `${url}/_control/worlds`, { name: 'a' })
    await send('POST', `${url}/w/a/_control/reset`)
    await send('POST', `${url}/_control/reset`)
    await send('DELETE', `${url}/_control/worlds/a`)
  }
  rounds.abort()
  await Promise.all(writers)
  expect([...statuses].filter((status) => ![200, 404, 409].includes(status))).toEqual([])
  expect(statuses).toContain(200)
})
