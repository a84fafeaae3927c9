import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { openBent } from './bent-server.ts'
import { compare, describe, record } from './compared.ts'
import { visit } from './visits.ts'

/** `npm test` tries one, `npm run test:compare` twenty, with five times the calls. */
const seeds = process.env['COMPARED_SEEDS']?.split(',')

test('equal servers of whatever seed differ in nothing, streams included', async () => {
  const visits = seeds ? 5 : 2
  const text = await record(async (url) => {
    for (let i = 0; i < visits; i++) await visit(url)
  })
  for (const seed of seeds ?? ['theirs']) {
    const { code, report } = await compare(text, '--upstream', await openBent({}, seed), '--allow-writes')
    expect([seed, code, describe(report), report.calls]).toEqual([seed, 0, [], visits * 41])
    expect(report.streams).toEqual({ compared: visits * 2, notCompared: 0 })
    expect(report.left).toEqual({ writes: 0, secrets: 0, control: 0 })
  }
})

test('equal servers whose clocks run, and stood elsewhere when the case was recorded, differ in nothing', async () => {
  const server = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  onTestFinished(() => server.close())
  for (const name of ['ours', 'theirs']) await call(`${server.url}/_control/worlds`, 'POST', { name })
  const url = `${server.url}/w/ours`
  await call(`${url}/_control/recordings`, 'POST', {})
  await visit(url)
  const text = await (await fetch(`${url}/_control/recordings/current`)).text()
  const { code, report } = await compare(text, '--upstream', `${server.url}/w/theirs`, '--allow-writes')
  expect([code, describe(report), report.calls]).toEqual([0, [], 41])
})
