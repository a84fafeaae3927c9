import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { startCaseServer } from '../../../src/cli/cases/start-case-server.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { startVendorCloud } from '../../../src/index.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { playPoints } from '../../../src/tools/cases/player/case-points.ts'
import { DEALER, pastCases, playPast, read, withoutSecrets } from '../../server/worlds/past-cases.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'
import { walkThrough } from '../../tools/mcp/tools-walk.ts'
import { call } from '../acceptance/server.ts'
import { type Installation, install } from './installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

/** These cases contain no frames, because event IDs are not consecutive on PostgreSQL. */
test.each(['booking-race', 'month-end'])('the case %s replays byte for byte on PostgreSQL', async (name) => {
  const text = readFileSync(join(import.meta.dirname, `../../tools/cases/${name}.jsonl`), 'utf8')
  const postgres = { DATABASE_URL: installation.postgres.url }
  expect(await replayText(text, postgres)).toMatchObject({ same: true })
})

test('every step of ten recorded worlds on PostgreSQL can be restored and replayed', async () => {
  const settings = { DATABASE_URL: installation.postgres.url }
  const { url, close } = await startServer(readConfig({ PORT: '0', ...settings }))
  try {
    for (const [n, [title, play]] of Object.entries(pastCases).entries()) {
      const { url: world, moments } = await playPast(url, `case-${n}`, play)
      const file = parseCase(await read(world, '/_control/recordings/current'))
      const steps = moments.map(({ step }) => step)
      const played = await playPoints(file, steps, await startCaseServer(file.header))
      for (const [i, { step, snapshot }] of moments.entries()) {
        const draft = { name: `past-${n}-${step}`, from: `case-${n}`, at: step }
        await call(`${url}/_control/worlds`, 'POST', draft)
        const stood = await read(`${url}/w/${draft.name}`, '/_control/snapshot')
        expect(stood === snapshot, `${title}, step ${step}`).toBe(true)
        expect(withoutSecrets(played[i]!.snapshot) === withoutSecrets(snapshot), `${title}, played to ${step}`).toBe(
          true,
        )
        await call(`${url}/_control/worlds/${draft.name}`, 'DELETE')
      }
    }
  } finally {
    await close()
  }
})

test('a case of a world with automatic ticket progress replays on PostgreSQL and in memory', async () => {
  const postgres = { DATABASE_URL: installation.postgres.url }
  const { url, close } = await startServer(readConfig({ PORT: '0', ...postgres }))
  try {
    const profile = { profile: 'moves', choices: { 'ticket-progress': 'auto' } }
    const draft = { name: 'moving', seed: '1', now: '2026-05-06T16:00:00Z', frozen: true, profile }
    await call(`${url}/_control/worlds`, 'POST', draft)
    const world = `${url}/w/moving`
    await call(`${world}/_control/recordings`, 'POST', {})
    for (const duration of ['P2D', 'P5D']) {
      await call(`${world}/_control/clock/advance`, 'POST', { duration })
      await call(`${world}/stg/us/dealer/tickets`, 'GET', undefined, DEALER)
    }
    const text = await read(world, '/_control/recordings/current')
    expect(parseCase(text).steps.some((step) => 'mail' in step)).toBe(true)
    expect(await replayText(text, postgres)).toMatchObject({ same: true })
    expect(await replayText(text)).toMatchObject({ same: true })
  } finally {
    await close()
  }
})

test('every MCP tool works over HTTP on PostgreSQL', async () => {
  const cloud = await startVendorCloud({ settings: { DATABASE_URL: installation.postgres.url } })
  try {
    const { answered, wanted } = await walkThrough(await connectAgent(overHttp(cloud.url)))
    expect(answered).toMatchObject(wanted)
  } finally {
    await cloud.stop()
  }
})
