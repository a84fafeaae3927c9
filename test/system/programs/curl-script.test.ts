import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpRequest, HttpResponse } from '../../../src/contract/exchange.ts'
import type { CaseStep } from '../../../src/contract/files/case.ts'
import { toCaseView } from '../../../src/tools/cases/view/case-view.ts'
import { toCurlScript } from '../../../src/tools/cases/view/curl-script.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { makeHostileCase } from '../../tools/cases/view/hostile-case.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('curl', 'sed', 'iconv', 'base64')

interface Heard {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  body: Buffer
}

/** Runs a curl script against a server that records its requests and returns this response. */
async function runScript(steps: readonly CaseStep[], { answer = '{}', TOKEN_1 = 'one' } = {}) {
  const heard: Heard[] = []
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const { method, url, headers } = request
        heard.push({ method, url, authorization: headers.authorization, body: Buffer.concat(pieces) })
        reply.end(answer)
      })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const script = toCurlScript(toCaseView({ ...makeHostileCase(['plain']), steps: [...steps] }))
  const cwd = makeTemporaryFolder()
  const env = { PATH: process.env['PATH'], VENDOR_CLOUD_URL: `http://127.0.0.1:${port}`, TOKEN_1, DIGEST_1: 'two' }
  const file = join(makeTemporaryFolder(), 'script.sh')
  writeFileSync(file, script)
  await promisify(execFile)('sh', [file], { env, cwd, maxBuffer: 10e6 })
  return { heard, cwd }
}

function toStep(call: Partial<HttpRequest>, reply: HttpResponse = { status: 200 }): CaseStep {
  const whole = { method: 'POST', path: '/stg', headers: {}, ...call }
  return { step: 1, at: '2026-05-06T16:00:00.000Z', call: whole, reply }
}

test('a curl script sends binary bodies, other encodings, control characters and long bodies unchanged', async () => {
  const bytes = Buffer.from([0, 255, 10])
  const texts = ['a\u0000\u001b\n\t\\0101%s\u202e\u009bé', 'x'.repeat(300_000), '@/etc/passwd', '-']
  const { heard } = await runScript([
    toStep({ body: { base64: bytes.toString('base64') } }),
    toStep({ body: { text: '{"é": "{{token:1}}"}', charset: 'utf-16le' } }),
    ...texts.map((body) => toStep({ body })),
  ])
  expect(heard.map(({ body }) => body)).toEqual([
    bytes,
    Buffer.from('{"é": "one"}', 'utf16le'),
    ...texts.map((text) => Buffer.from(text)),
  ])
})

test('a curl script reads a secret from a response and sends it in later calls', async () => {
  const bearer = (n: number) => toStep({ method: 'GET', headers: { authorization: `Bearer {{token:${n}}}` } })
  const issued = toStep({}, { status: 200, body: '{"a":[1],"accessToken":"{{token:2}}","b":"x"}' })
  const answer = '{"a":[2],"accessToken":"fresh/1&2","b":"y"}'
  const { heard } = await runScript([bearer(1), issued, bearer(2)], { answer })
  expect(heard.map(({ authorization }) => authorization)).toEqual(['Bearer one', undefined, 'Bearer fresh/1&2'])
})

test('a curl script never executes text from a case', async () => {
  const { cwd } = await runScript(makeHostileCase().steps)
  expect(readdirSync(cwd)).toEqual([])
})
