import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import type { DocumentName } from '../../../src/tools/examine/check.ts'
import { examineCommand } from './examined.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/examine.md'), 'utf8')
const node = (file: string, ...args: string[]) => [process.execPath, `examples/examined/${file}`, ...args]

/** Clients, by the names that the page uses for them. */
const clients: Readonly<Record<string, readonly [DocumentName, readonly string[]]>> = {
  'npm `eventsource` 4': ['events', node('event-source.mjs', 'eventsource')],
  'EventSource of undici 7': ['events', node('event-source.mjs', 'undici')],
  'EventSource of Chromium': ['events', node('chromium.mjs')],
  'a loop around `curl -N`': ['events', ['sh', 'examples/examined/curl-events.sh']],
  'npm `soap` 1': ['billing', node('soap.mjs')],
  'npm `strong-soap` 5': ['billing', node('strong-soap.mjs')],
  'SoapClient of PHP 8': ['billing', ['php', 'examples/examined/php-soap.php']],
  'a loop around `curl` and `sed`': ['billing', ['sh', 'examples/examined/curl-billing.sh']],
}

/** Returns the checks that the text lists, either by name or by a prefix such as `name-*`. */
const names = (text: string, known: readonly string[]) =>
  [...text.matchAll(/`([^`]+?)(\*?)`/g)].flatMap(([, name, star]) =>
    star ? known.filter((each) => each.startsWith(name!)) : [name!],
  )

test.concurrent.each(Object.entries(clients))('%s gets the grade that the documentation states', async (name, of) => {
  const [document, command] = of
  const { grade, checks } = await examineCommand(document, command, '--timeout', '20')
  // The results of INFO checks are ignored, because they may depend on the speed of the machine.
  const judged = checks.filter(({ level }) => level !== 'INFO')
  const failed = judged.filter(({ verdict }) => verdict === 'failed').map((check) => check.name)
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
  const [, , told, fails = ''] = row.split('|').map((cell) => cell.trim())
  const expected = names(
    fails,
    judged.map((check) => check.name),
  )
  expect(failed.toSorted()).toEqual(expected.toSorted())
  expect(grade).toBe(told)
})

test('the browser exits when the client that started it exits', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { ...process.env, VENDOR_CLOUD_URL: url, VENDOR_CLOUD_TOKEN: 'any' }
  const client = spawn(process.execPath, ['examples/examined/chromium.mjs'], { env, stdio: 'ignore' })
  const [{ socket }] = (await once(server, 'request')) as [IncomingMessage]
  const ended = Promise.all([once(client, 'exit'), once(socket, 'close')])
  client.kill()
  await ended
})
