import { expect, test } from 'vitest'
import { createLogger } from '../../src/cli/log.ts'
import { readConfig } from '../../src/server/config.ts'
import { buildApp } from '../../src/server/app.ts'
import { Unavailable } from '../../src/server/ports/failures.ts'
import { asWeb, buildTestApp } from '../helpers/build-test-app.ts'

function startOnTerminal(settings: Record<string, string> = {}) {
  const lines: string[] = []
  const stdout = { isTTY: true, write: (text: string) => lines.push(text) }
  const { worlds } = buildTestApp()
  const app = buildApp({ worlds, logger: createLogger(readConfig(settings), { stdout }) })
  return { app, lines, worlds }
}

test('a terminal shows each request in one line, with the reason if it is rejected', async () => {
  const { app, lines } = startOnTerminal()
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asWeb('web-alice') })
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=1', headers: asWeb('web-alice') })
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}\/stg\/us\/guest\/zipCode {2}200 {2}\d+\.\d ms {2}user\n$/),
    expect.stringMatching(
      /^\S+ GET {4}\/stg\/us\/guest\/zipCode {2}400 .* user {2}invalid zip code \(document 1, operation 30\)\n$/,
    ),
  ])
})

test('a terminal shows the names of the faults that affected a request', async () => {
  const { app, lines, worlds } = startOnTerminal()
  worlds.find('default')!.faults.add({ match: { operation: 30 }, delayMs: 1, name: 'mine' }, 'F1')
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asWeb('web-alice') })
  expect(lines[0]).toMatch(/ 200 {2}\S+ ms {2}user {2}fault: mine\n$/)
})

test('a terminal shows in one line that a store is unavailable, and the stack of other errors', () => {
  const lines: string[] = []
  const logger = createLogger(readConfig(), { stdout: { isTTY: true, write: (text: string) => lines.push(text) } })
  const cause = new Error('Connection terminated')
  logger.error({ err: new Unavailable('the database cannot be reached', { cause }) }, 'the store cannot be reached')
  logger.warn({ reason: 'the database cannot be reached' }, 'not ready')
  logger.error({ err: cause }, 'unexpected')
  expect(lines).toEqual([
    expect.stringMatching(
      / error: the store cannot be reached: the database cannot be reached: Connection terminated\n$/,
    ),
    expect.stringMatching(/^\S+ warn: not ready: the database cannot be reached\n$/),
    expect.stringMatching(/^\S+ error: unexpected\nError: Connection terminated\n +at /),
  ])
})

test('unknown paths are logged as sent, but without keys or tokens', async () => {
  const { app, lines } = startOnTerminal()
  await app.inject({ url: '/stg/us/guest/zipcode?zipCode=07660&token=canary-of-a-query' })
  await app.inject({ method: 'DELETE', url: '/_control/tokens/canary-of-a-path' })
  await app.inject({ url: '/sse/x?key=canary-of-a-key', headers: { authorization: 'Bearer canary-of-a-header' } })
  expect(lines[0]).toContain('GET    /stg/us/guest/zipcode  404')
  await app.inject({ url: '/nowhere/0123456789abcdef0123' })
  expect(lines.at(-1)).toContain('GET    /nowhere/[redacted]  404')
  expect(lines.join('')).not.toContain('canary-of-a-query')
  expect(lines.join('')).not.toContain('canary-of-a-key')
  expect(lines.join('')).not.toContain('canary-of-a-header')
})
