import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'

test('what our own pages ask is logged at the level debug, unless it is refused; what programs ask, at info', async () => {
  const { worlds } = buildTestApp()
  const lines: { level: number; path: string }[] = []
  const logger = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) })
  const app = buildApp({ worlds, logger, control: { open: true, worlds, version: 'test' } })
  onTestFinished(() => app.close())
  const page = { 'sec-fetch-site': 'same-origin' }
  for (const [path, headers, level] of [
    ['/_control/clock', {}, 30],
    ['/_control/clock', page, 20],
    ['/_control/clocks', page, 30],
    ['/stg/us/guest/zipCode', page, 30],
  ] as const) {
    await app.inject({ url: path, headers })
    expect([path, lines.at(-1)]).toMatchObject([path, { path, level }])
  }
})
