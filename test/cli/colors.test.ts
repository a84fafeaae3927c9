import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../../src/cli/log.ts'
import { toPrintableOutput } from '../../src/cli/input-output.ts'
import { createPainter } from '../../src/cli/colors.ts'
import { readConfig } from '../../src/server/config.ts'

/** Returns what a command prints. FORCE_COLOR enables colors. */
async function say(
  command: string,
  text: string,
  { isTTY = true, env = { FORCE_COLOR: '1' } }: { isTTY?: boolean; env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'CI', 'TEAMCITY_VERSION']) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  let said = ''
  const stdout = { isTTY, write: (piece: string) => (said += piece) }
  toPrintableOutput({ stdout, stderr: stdout }, await createPainter(command)).stdout.write(text)
  return said
}

const line = (status: number) => `2026-05-06T16:00:00.000Z GET    /stg/us/x  ${status}  1.2 ms\n`

test.each([
  ['logs', line(200), '  \u001b[32m200\u001b[39m  '],
  ['logs', line(404), '  \u001b[33m404\u001b[39m  '],
  ['logs', line(503), '  \u001b[31m503\u001b[39m  '],
  [
    'replay',
    '  - "Old York"\n  + "New York"\n',
    '\u001b[31m- "Old York"\u001b[39m\n  \u001b[32m+ "New York"\u001b[39m',
  ],
  ['diff', '+ tickets 1  {}\n', '\u001b[32m+ tickets 1  {}\u001b[39m'],
  [
    'examine',
    'Grade D: none was covered\n\n  support  7 passed, 1 failed, 20 not covered\n',
    '\u001b[31m1 failed\u001b[39m',
  ],
])('the %s command colors %j on a terminal', async (command, text, painted) => {
  expect(await say(command, text)).toContain(painted)
})

test('output has no color in a pipe, with NO_COLOR, or from another command', async () => {
  expect(await say('logs', line(404), { isTTY: false })).toBe(line(404))
  expect(await say('logs', line(404), { env: { NO_COLOR: '1', TERM: 'xterm' } })).toBe(line(404))
  expect(await say('worlds', line(404))).toBe(line(404))
})

test('output on a terminal has colors when NO_COLOR is set to an empty string', async () => {
  const env = { NO_COLOR: '', TERM: 'xterm' }
  expect(await say('logs', line(404), { env })).toContain('\u001b[33m404')
})

test('color codes from other servers are escaped', async () => {
  expect(await say('logs', `\u001b[31m\n${line(200)}`)).toMatch(/^\\u001b\[31m\n/)
})

test('the terminal log shows the operation of a request that has no known caller', () => {
  let said = ''
  const stdout = { isTTY: true, write: (text: string) => (said += text) }
  const request = { method: 'POST', path: '/iap/ws/RTCService', status: 200, ms: 1, caller: 'other' }
  const logger = createLogger(readConfig({}), { stdout })
  logger.info({ ...request, operation: 'createServiceToken' }, 'request')
  logger.info({ ...request, operation: 30 }, 'request')
  logger.info(request, 'request')
  expect(
    said
      .trimEnd()
      .split('\n')
      .map((each) => each.split(' ms')[1]),
  ).toEqual(['  createServiceToken', '  operation 30', ''])
})
