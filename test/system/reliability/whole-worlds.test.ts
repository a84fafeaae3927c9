import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const ROUNDS = 3

async function send(method: string, url: string, body?: unknown) {
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }) }
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const reply = await fetch(url, { method, headers, ...text })
  return { status: reply.status, text: await reply.text() }
}

const mark = (url: string) => send('PUT', `${url}/_control/records/settings/mark`, { name: 'mark', value: '1' })

async function describeWorld(url: string) {
  const { counts } = JSON.parse((await send('GET', `${url}/_control/status`)).text) as {
    counts: Record<string, number>
  }
  const { status } = await send('GET', `${url}/_control/records/settings/mark`)
  return { devices: counts['devices'], tickets: counts['tickets'], isMarked: status === 200 }
}

/** Creates, replaces and deletes worlds until the server is killed. Calls `onTurn` after each change. */
async function churn(url: string, snapshot: string, onTurn: () => void): Promise<void> {
  const change = async (...request: Parameters<typeof send>) => {
    await send(...request)
    onTurn()
  }
  const turn = async (name: string) => {
    for (;;) {
      await change('POST', `${url}/_control/worlds`, { name })
      await mark(`${url}/w/${name}`)
      await change('POST', `${url}/w/${name}/_control/reset`)
      await change('PUT', `${url}/w/${name}/_control/snapshot`, snapshot)
      await change('DELETE', `${url}/_control/worlds/${name}`)
    }
  }
  const resets = async () => {
    for (;;) {
      await mark(url)
      await change('POST', `${url}/_control/reset`)
    }
  }
  await Promise.allSettled([turn('a'), turn('b'), resets()])
}

test('each remaining world is complete after kill -9 during resets, restores and deletions', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  let whole: unknown
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startProcess({ DATA_DIR: folder })
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    const { isMarked: _, ...first } = await describeWorld(server.url)
    whole ??= first
    const { items } = JSON.parse((await send('GET', `${server.url}/_control/worlds`)).text) as {
      items: { name: string }[]
    }
    for (const { name } of items) {
      const { isMarked: _, ...found } = await describeWorld(`${server.url}/w/${name}`)
      expect({ round, name, found }).toEqual({ round, name, found: whole })
    }
    const snapshot = (await send('GET', `${server.url}/_control/snapshot`)).text
    // In each round, kills the server at a different point during the changes.
    let left = 6 + 4 * round
    let churning: Promise<void> | undefined
    await new Promise<void>((resolve) => {
      churning = churn(server.url, snapshot, () => --left === 0 && resolve())
    })
    await server.stop('SIGKILL')
    await churning
  }
})
