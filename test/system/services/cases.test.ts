import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayText } from '../../../src/commands/cases/replay.ts'
import { type Installation, install } from './installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

test.each(['booking-race', 'stream-resumed', 'month-end', 'random-world'])(
  'the case %s replays byte for byte on PostgreSQL, without Redis and with it',
  async (name) => {
    const text = readFileSync(join(import.meta.dirname, `../../tools/cases/${name}.jsonl`), 'utf8')
    const postgres = { DATABASE_URL: installation.postgres.url }
    expect(await replayText(text, postgres)).toMatchObject({ same: true })
    expect(await replayText(text, { ...postgres, REDIS_URL: installation.redis.url })).toMatchObject({ same: true })
  },
)
