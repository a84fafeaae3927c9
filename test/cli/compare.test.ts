import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { call } from '../system/acceptance/server.ts'
import { openVendor } from '../tools/compare/changed-server.ts'
import { compare, describe, openFolder, record } from '../tools/compare/compared.ts'

const guest = { 'request-source': 'vendor.com' }

/** Sends three requests that read and two that write. The second write uses a value that the first one created. */
async function visit(url: string): Promise<void> {
  for (const zip of ['07660', '07660-1234', '1']) {
    await call(`${url}/stg/us/guest/zipCode?zipCode=${zip}`, 'GET', undefined, guest)
  }
  await call(`${url}/stg/us/guest/customerFeedback`, 'POST', { rating: 5, comment: 'good' }, guest)
  await call(`${url}/stg/us/cti/guest/token`, 'POST', undefined, guest)
}

/** Sends one request that reads and one that writes, for tests in which only the response of the upstream matters. */
async function ask(url: string): Promise<void> {
  await call(`${url}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, guest)
  await call(`${url}/stg/us/guest/customerFeedback`, 'POST', { rating: 5, comment: 'good' }, guest)
}

let [text, short] = ['', '']
beforeAll(async () => {
  text = await record(visit)
  short = await record(ask)
})

async function run(...args: string[]) {
  let [stdout, stderr] = ['', '']
  const code = await runCommand(['compare', ...args], {
    stdout: { write: (given: string) => (stdout += given) },
    stderr: { write: (given: string) => (stderr += given) },
  })
  return { code, stdout, stderr }
}

function write(content: string, name = 'visit.jsonl'): string {
  const file = join(openFolder(), name)
  writeFileSync(file, content)
  return file
}

async function answerWith(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`)
    reply.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('compare skips writes on both sides unless --allow-writes allows them', async () => {
  const upstream = await openVendor({}, 'a')
  const none = await compare(text, '--upstream', upstream)
  expect([none.code, none.report.calls, none.report.left.writes]).toEqual([0, 3, 2])
  const one = await compare(text, '--upstream', upstream, '--allow-writes', '22')
  expect([one.code, one.report.calls, one.report.left.writes]).toEqual([0, 4, 1])
  const all = await compare(text, '--upstream', upstream, '--allow-writes')
  expect([all.code, all.report.calls, all.report.left.writes]).toEqual([0, 5, 0])
})

test('compare --learn writes a profile that explains differences and can be read again', async () => {
  const vendor = {
    choices: { 'zip-plus-four': 'accepted', 'created-status': 201 },
    path: /zipCode/,
    change: ({ body }: { body: Record<string, unknown> }) => delete body['county'],
  }
  const upstream = await openVendor(vendor, 'b')
  const folder = openFolder()
  for (const name of ['theirs.yaml', 'theirs.json']) {
    const file = join(folder, name)
    const first = await compare(text, '--upstream', upstream, '--allow-writes', '--learn', file)
    expect(first.code).toBe(1)
    expect(describe(first.report)).toContain('30 status status: choice: zip-plus-four')
    expect(first.report.differences.find(({ operation }) => operation === '22')).toMatchObject({ value: 201 })
    expect(first.stderr).toContain('No choice explains these differences:\n  30 body.county (missing)')
    const learned = readFileSync(file, 'utf8')
    expect(learned).toContain('accepted')
    if (name.endsWith('yaml')) expect(learned).toContain('# 30 body.county (missing)')
    const again = await compare(text, '--upstream', upstream, '--allow-writes', '--profile', file)
    expect(describe(again.report)).toEqual(['30 missing body.county: unexplained'])
    expect(again.report.profile).toBe('learned')
  }
})

test.each([
  [[40, 80, 70], 50, 69],
  [[80, 60], 70, 79],
  [[50, 51], 50, 50],
])(
  'compare learns the fitting value nearest to the default: pages %j, maximum %i, value %i',
  async (sizes, most, value) => {
    const dealer = { ...guest, 'vendorus-profid': 'dealer-erin' }
    const rejecting = { 'unusable-values': 'reject' }
    const pages = await record(async (url) => {
      for (const size of sizes) await call(`${url}/stg/us/dealer/tickets?limit=${size}`, 'GET', undefined, dealer)
    }, rejecting)
    const upstream = await openVendor({ choices: { ...rejecting, 'page-max': most } }, 'p')
    const { report } = await compare(pages, '--upstream', upstream)
    expect(report.differences.map(({ explanation, value }) => [explanation, value])).toEqual([
      ['choice: page-max', value],
    ])
  },
)

test('compare ignores differences in the baseline when it applies limits', async () => {
  const upstream = await openVendor({ choices: { 'zip-plus-four': 'accepted' } }, 'c')
  const first = await compare(text, '--upstream', upstream)
  const baseline = write(JSON.stringify(first.report), 'baseline.json')
  const known = await compare(text, '--upstream', upstream, '--baseline', baseline)
  expect([known.code, known.report.differences[0]!.known, known.report.exceeded]).toEqual([0, true, []])
  const other = await openVendor({ choices: { 'zip-plus-four': 'accepted', 'created-status': 201 } }, 'd')
  const more = await compare(text, '--upstream', other, '--allow-writes', '--baseline', baseline)
  expect([more.code, more.report.exceeded.map(({ operation }) => operation)]).toEqual([1, ['22', '3']])
  expect((await compare(text, '--upstream', upstream, '--fail-on', 'missing,value')).code).toBe(0)
  expect((await compare(text, '--upstream', upstream, '--max-distance', '0.5')).code).toBe(0)
  expect((await compare(text, '--upstream', upstream, '--max-distance', '0.001')).code).toBe(1)
})

test('invalid arguments are rejected with exit code 2 before a request is sent', async () => {
  const { url, asked } = await answerWith(200, '{}')
  const file = write(text)
  const there = write('{}', 'there.json')
  for (const args of [
    [file],
    ['--upstream', url],
    [file, '--upstream', 'nowhere'],
    [file, '--upstream', 'http://me:secret@localhost'],
    [file, '--upstream', url, '--fail-on', 'everything'],
    [file, '--upstream', url, '--max-distance', '2'],
    [file, '--upstream', url, '--rate', '0'],
    [file, '--upstream', url, '--secret', 'x'],
    [file, '--upstream', url, '--allow-writes=99'],
    [file, '--upstream', url, '--out', there],
    [file, '--upstream', url, '--learn', there],
    [file, '--upstream', url, '--baseline', there],
    [file, '--upstream', url, '--baseline', 'missing.json'],
    [file, '--upstream', url, '--profile', 'lenint'],
    [file, '--upstream', url, '--format', 'html'],
    [there, '--upstream', url],
    [write('nothing'), '--upstream', url],
  ]) {
    const { code, stdout, stderr } = await run(...args)
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).not.toContain('    at ')
  }
  expect(asked).toEqual([])
  expect(readFileSync(there, 'utf8')).toBe('{}')
  const closed = await run(file, '--upstream', 'http://127.0.0.1:1')
  expect(closed).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('cannot reach http://127.0.0.1:1'),
  })
})

test('compare does not follow redirects and reports them as a different status', async () => {
  const elsewhere = await answerWith(200, '{}')
  const { url } = await answerWith(302, '', { location: elsewhere.url })
  const { code, report } = await compare(short, '--upstream', url)
  expect([code, elsewhere.asked]).toEqual([1, []])
  expect(new Set(report.differences.map(({ theirs }) => theirs))).toEqual(new Set([302]))
})

test('compare rejects a path that leads outside the upstream path before sending a request', async () => {
  const { url, asked } = await answerWith(200, '{}')
  const file = write(text.replaceAll('/stg/us/guest/zipCode?', '/a/../%2e%2e/admin?'))
  const { code, stderr } = await run(file, '--upstream', `${url}/base`)
  expect([code, asked]).toEqual([2, []])
  expect(stderr).toContain('the path /a/../%2e%2e/admin?zipCode=07660 leads above the root')
})

const evil = '</testcase>]]>\u001b]0;owned\u0007|`<img src=x onerror=alert(1)>`@everyone [a](http://evil)\n# h'

test('hostile text from the upstream is escaped in every output format', async () => {
  const { url } = await answerWith(200, JSON.stringify({ [evil]: evil }), { 'content-type': 'application/json' })
  const file = write(short)
  const printed = Object.fromEntries(
    await Promise.all(
      ['text', 'junit', 'json'].map(async (format) => [
        format,
        (await run(file, '--upstream', url, '--format', format)).stdout,
      ]),
    ),
  ) as Record<string, string>
  for (const each of Object.values(printed)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters
    expect(each).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  }
  expect(printed['junit']).not.toMatch(/<img|\]\]>|<\/testcase>\]/)
  expect(printed['text']!.split('\n').some((line) => line.startsWith('# h'))).toBe(false)
})

test('no output contains a secret from --secret, the client or the upstream', async () => {
  const sent = short
    .replaceAll(
      '"request-source":"vendor.com"',
      '"request-source":"vendor.com","authorization":"Bearer {{token:1}}","cookie":"s=canary-cookie"',
    )
    .replace('"tokens":[', '"tokens":["aaaaaa-aaaaa",')
  const body = { accessToken: 'canary-issued', message: 'canary-given and canary-cookie', '07660': 'canary-given' }
  const { url } = await answerWith(200, JSON.stringify(body), {
    'set-cookie': 's=canary-set',
    'content-type': 'application/json',
  })
  const file = write(sent)
  const learn = join(openFolder(), 'learned.yaml')
  for (const format of ['text', 'junit', 'json']) {
    const args = [
      '--upstream',
      url,
      '--format',
      format,
      '--texts',
      '--secret',
      'token:1=canary-given',
      '--allow-writes',
    ]
    const { code, stdout, stderr } = await run(file, ...args, ...(format === 'text' ? ['--learn', learn] : []))
    expect([code, stderr.includes('UnusableCase')]).toEqual([1, false])
    expect(stdout + stderr).not.toContain('canary')
  }
  expect(existsSync(learn)).toBe(true)
  expect(readFileSync(learn, 'utf8')).not.toContain('canary')
})

test('calls to another host in a HAR file are included if --host names it', async () => {
  const entry = {
    startedDateTime: '2026-05-04T12:00:00.000Z',
    time: 1,
    request: {
      method: 'GET',
      url: 'https://support.vendor.example/stg/us/guest/zipCode?zipCode=00000',
      headers: [{ name: 'request-source', value: 'vendor.com' }],
    },
    response: { status: 404, headers: [], content: { size: 2, mimeType: 'application/json', text: '{}' } },
  }
  const archive = JSON.stringify({ log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [entry] } })
  const args = ['--upstream', await openVendor({}, 'e')]
  const without = await compare(archive, ...args)
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('Use --host support.vendor.example')])
  const { code, report } = await compare(archive, ...args, '--host', 'support.vendor.example')
  expect([code, report.calls]).toEqual([0, 1])
  const others = await compare(archive, ...args, '--host', 'support.vendor.example=wallet')
  expect(others.code).toBe(2)
})

test('a HAR file is compared like a case, with the secrets its client sent', async () => {
  const upstream = await openVendor({ choices: { 'zip-plus-four': 'accepted' } }, 'e')
  const entry = (method: string, path: string, headers: Record<string, string>, status: number) => ({
    startedDateTime: '2026-05-04T12:00:00.000Z',
    time: 1,
    request: {
      method,
      url: upstream.replace(/\/w\/.*/, '') + path,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
    response: { status, headers: [], content: { size: 2, mimeType: 'application/json', text: '{}' } },
  })
  const entries = [
    entry('GET', '/stg/us/guest/zipCode?zipCode=07660-1234', guest, 200),
    entry(
      'GET',
      '/subscriptions/11111111-0000-4000-8000-000000000009',
      { authorization: 'Bearer canary-token-1234' },
      401,
    ),
  ]
  const other = { ...entries[0]!, request: { ...entries[0]!.request, url: 'https://elsewhere.example/a' } }
  const archive = { log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [...entries, other] } }
  const { code, report, stderr } = await compare(JSON.stringify(archive), '--upstream', upstream)
  expect([code, report.calls, report.left.secrets]).toEqual([1, 2, 0])
  // The local world does not know the sender, so the request is sent there as a caller from the fixtures.
  expect(describe(report)).toEqual([
    '30 status status: choice: zip-plus-four',
    'getSubscription status status: unexplained',
  ])
  expect(JSON.stringify(report) + stderr).not.toContain('canary')
})
