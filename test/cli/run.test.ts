import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { connectVendorCloud } from '../../src/index.ts'
import { buildTestApp, listen } from '../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'
import { findXmlErrors } from '../helpers/documents/xml.ts'

async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(args, { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'

async function start() {
  const server = buildTestApp()
  return { ...server, url: await listen(server.app) }
}

test('--help lists the commands, each command has its own --help, and --version prints the version', async () => {
  const { code, stdout } = await run('--help')
  expect([code, stdout]).toEqual([0, expect.stringContaining('advance     Move the clock forward')])
  const namesOf = (help: string) => {
    const [, list = ''] = help.split('\nCommands:\n')
    return [...list.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name!)
  }
  const commands = namesOf(stdout)
  expect(commands).toEqual(expect.arrayContaining(['serve', 'emit', 'record', 'examine', 'wallet', 'case']))
  expect(commands.length).toBeLessThanOrEqual(20)
  const check = async (words: readonly string[]) => {
    const help = await run(...words, '--help')
    expect([words, help.code]).toEqual([words, 0])
    expect(help.stdout).toContain(`Usage: vendor-cloud ${words.join(' ')} `)
    const further = namesOf(help.stdout)
    if (further.length === 0) expect(help.stdout).toContain(`\nExample: npx --no vendor-cloud ${words.join(' ')}`)
    for (const each of further) await check([...words, each])
  }
  for (const command of commands) await check([command])
  expect((await run('emit', '--help')).stdout).toContain('--force ')
  expect((await run('logs', '--help')).stdout).toContain('(default: 20)')
  const { stdout: help } = await run('serve', '--help')
  expect(help).toMatch(/--port <PORT> [^-]*\(default: 8080\)\s+\(env: PORT\)/)
  expect(help).toMatch(/--log-level <LEVEL> [^-]*: trace, debug, [^-]*\(env: LOG_LEVEL\)/)
  expect(await run('--version')).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
})

test.each([
  { args: ['advanc'], says: 'unknown command advanc (did you mean advance?)\n' },
  { args: ['advanc', '--help'], says: 'unknown command advanc (did you mean advance?)\n' },
  { args: ['case', 'shw', '-h'], says: 'unknown command shw (did you mean show?)\n' },
  { args: ['teapot'], says: 'unknown command teapot\nTry: npx --no vendor-cloud help\n' },
  { args: ['--prt', '1'], says: 'unknown option --prt (did you mean --port?)\n' },
  { args: ['serve', '--data-dir', 'x'], says: 'unknown option --data-dir (did you mean --data?)\n' },
  { args: ['serve', '--odd'], says: 'unknown option --odd\nTry: npx --no vendor-cloud serve --help\n' },
  { args: ['serve', '--port'], says: '--port needs a value: --port PORT\n' },
  { args: ['serve', 'now'], says: 'too many arguments for serve.' },
  { args: ['--port', 'abc'], says: '--port abc: must be a port from 0 to 65535' },
  { args: ['--log-level', 'loud'], says: '--log-level loud: must be one of' },
  { args: ['advance'], says: 'missing required argument DURATION' },
  { args: ['reset', '--url', 'nowhere'], says: 'nowhere is not a valid URL' },
  { args: ['snapshot', '--out', 'a.json', '--restore', 'b.json'], says: '--out and --restore cannot be used together' },
  { args: ['record', '--', 'client', '--help'], says: 'required option --out <FILE> not specified' },
  { args: ['examine', '--only', 'all', '--', 'client', '-h'], says: 'all is not one of support' },
  { args: ['record', '--out', 'package.json', '--', 'false'], says: 'cannot write package.json: file already exists' },
  { args: ['examine', '--out', 'package.json', '--', 'false'], says: 'cannot write package.json: file already exists' },
  {
    args: ['case', 'shrink', 'nowhere', '--out', 'package.json'],
    says: 'cannot write package.json: file already exists',
  },
  {
    args: ['case', 'shrink', 'nowhere', '--out', 'no/where'],
    says: 'cannot write no/where: no such file or directory (ENOENT)\n',
  },
  { args: ['replay', 'nowhere'], says: 'cannot read nowhere: no such file or directory (ENOENT)\n' },
  { args: ['replay', 'src'], says: 'cannot read src: it is a directory (EISDIR)\n' },
  {
    args: ['replay', 'test/tools/cases/month-end.jsonl', '--against', 'http://127.0.0.1:1', '--allow-writes'],
    says: 'cannot reach http://127.0.0.1:1',
  },
  { args: ['case', 'show', 'package.json/x'], says: 'cannot read package.json/x: not a directory (ENOTDIR)\n' },
  { args: ['--fixtures', '/nowhere'], says: 'cannot read fixtures /nowhere: no such file or directory (ENOENT)' },
  {
    args: ['--fixtures', 'lrge'],
    says: 'FIXTURES=lrge: must be default, large or a directory such as ./lrge (did you',
  },
  {
    args: ['--profile', 'stict'],
    says: 'cannot read profile stict: no such file or directory (ENOENT) (did you mean s',
  },
  { args: ['--snapshot', '/nowhere'], says: 'cannot read snapshot /nowhere: no such file or directory (ENOENT)' },
])('the arguments $args are rejected with exit code 2 and a plain message', async ({ args, says }) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`vendor-cloud: ${says}`)])
  expect(stderr).not.toContain('    at ')
})

test.each([
  {
    args: ['health', '--url', 'http://127.0.0.1:6000'],
    says: 'cannot reach http://127.0.0.1:6000: fetch blocks this port, as browsers do. Use another port',
  },
  { args: ['health', '--url', 'http://127.0.0.1:1'], says: 'cannot reach http://127.0.0.1:1' },
])('the arguments $args cause exit code 1 and a one-line message', async ({ args, says }) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`vendor-cloud: ${says}`)])
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('serve reports each invalid setting in a line of the same form', async () => {
  const { code, stderr } = await run('--port', 'abc', '--log-level', 'loud')
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^vendor-cloud: --port abc: must be .+\nvendor-cloud: --log-level loud: must be .+\n$/),
  ])
})

test('serve exits with code 1 and a clear message if the port is in use', async () => {
  const { url } = await start()
  const port = new URL(url).port
  const { code, stderr } = await run('--port', port, '--log-level', 'silent')
  const message = `port ${port} on 127.0.0.1 is already in use. For a free port, run: npx --no vendor-cloud serve --port 0`
  expect([code, stderr]).toEqual([1, `vendor-cloud: ${message}\n`])
})

test('advance rejects a duration that is negative or has no unit', async () => {
  const { url } = await start()
  for (const [given, says] of [
    ['-5', '-5 is negative'],
    ['31', '31 has no unit. Use an ISO 8601 duration such as P31D or PT90S'],
    ['-P1D', 'unknown option -P1D'],
  ] as const) {
    const { code, stderr } = await run('advance', given, '--url', url)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  }
  const step = { afterMs: 1000, deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'on' }
  await connectVendorCloud(url).scenarios.start({ steps: [step] })
  expect((await run('advance', 'PT2S', '--url', url)).stderr).toBe('1 scheduled event ran\n')
})

test('logs prints why requests were rejected, applies filters and follows new entries', async () => {
  const { url, app } = await start()
  const ask = (zipCode: string) =>
    app.inject({ url: `/stg/us/guest/zipCode?zipCode=${zipCode}`, headers: { 'request-source': 'vendor.com' } })
  await ask('07660')
  await ask('1')
  expect((await run('logs', '--url', url)).stdout.split('\n')).toHaveLength(3)
  const refused = await run('logs', '--refused', '--url', url)
  expect(refused.stdout).toMatch(
    /^\S+ GET +\/stg\/us\/guest\/zipCode\?zipCode=1 +400 .*ConstraintViolationError: .*\n$/,
  )
  const [line] = (await run('logs', '--status', '200', '--json', '--url', url)).stdout.split('\n')
  expect(JSON.parse(line!)).toMatchObject({ operation: 30, status: 200 })
  expect((await run('logs', '--status', '4xx', '--url', url)).stdout).toBe(refused.stdout)
  expect((await run('logs', '--status', 'bad', '--url', url)).stderr).toContain('--status bad must be a status such as')

  const written: string[] = []
  const following = runCommand(['logs', '--follow', '--refused', '--limit', '1', '--url', url], {
    stdout: { write: (text: string) => written.push(text) },
    stderr: { write: () => {} },
  })
  await expect.poll(() => written).toHaveLength(1)
  await ask('07660')
  await ask('2')
  await expect.poll(() => written[1]).toContain('zipCode=2')
  expect(written).toHaveLength(2)
  process.emit('SIGINT', 'SIGINT')
  expect(await following).toBe(0)
})

test.each([
  { resource: 'worlds', shows: /^NAME +FROM +SEED +CREATED +EXPIRES\ndefault / },
  { resource: 'faults', shows: /^ID .* HITS\n\S+ +once +\{"operation":30\} +\{"status":503\} +0 of 1\n$/ },
  { resource: 'devices', shows: /^DEVICE +NAME +LOCATION\naaaaaaaa-/ },
  { resource: 'outbox', shows: /^the outbox is empty\n$/ },
  { resource: 'purchases', shows: /\npurchase-active +123456789012 +ACTIVE +\S+ +\d+\.\d\d USD / },
  { resource: 'tickets', shows: /\n\S+ +\S+ +IH +E0002 / },
])('list $resource prints a table, or JSON with --json', async ({ resource, shows }) => {
  const { url } = await start()
  await connectVendorCloud(url).faults.add({
    name: 'once',
    match: { operation: 30 },
    respond: { status: 503 },
    times: 1,
  })
  expect(await run('list', resource, '--url', url)).toMatchObject({ code: 0, stdout: expect.stringMatching(shows) })
  const json = await run('list', resource, '--json', '--url', url)
  expect(JSON.parse(json.stdout)).toMatchObject({ items: expect.any(Array) })
})

test('list purchases prints the status at the time of the world clock', async () => {
  const { url } = await start()
  await run('advance', 'P1D', '--url', url)
  const { stdout } = await run('list', 'purchases', '--url', url)
  expect(stdout).toMatch(/\npurchase-test-mode +\S+ +CANCEL .* (\S+)Z +\1Z\n/)
})

test('the list command reports how many rows it omitted', async () => {
  const { url, store } = await start()
  const mail = { channel: 'EMAIL' as const, to: 'a@example.com', subject: 's', text: 't', links: [] }
  const sentAt = '2026-05-06T16:00:00.000Z'
  await store.transaction(async (tx) => {
    for (let i = 0; i < 103; i++) await tx.outbox.put({ messageId: `M${i}`, sentAt, ...mail })
  })
  const { stdout, stderr } = await run('list', 'outbox', '--url', url)
  expect([stdout.split('\n').length, stderr]).toEqual([102, '3 more (--all shows all)\n'])
})

test('help COMMAND prints the same text as COMMAND --help, for wallet commands too', async () => {
  expect(await run('help', 'emit')).toEqual(await run('emit', '--help'))
  expect((await run('help', 'wallet', 'sign')).stdout).toContain('Usage: vendor-cloud wallet sign [options] <FILE>')
  expect((await run('help', 'emitt')).stderr).toContain('unknown command emitt (did you mean emit?)')
})

test('the reset and snapshot commands report what they did', async () => {
  const { url } = await start()
  expect((await run('reset', '--url', url)).stderr).toBe('Reset world default\n')
  const file = join(makeTemporaryFolder(), 'world.json')
  expect((await run('snapshot', '--out', file, '--url', url)).stderr).toMatch(
    /^Saved world default to .* \(\d+ bytes\)\n$/,
  )
  expect((await run('snapshot', '--restore', file, '--url', url)).stderr).toContain('Restored world default from ')
})

test('the health command also checks that the given world exists', async () => {
  const { url } = await start()
  expect((await run('health', '--world', 'nobody', '--url', url)).stderr).toContain('world nobody does not exist')
  expect(await run('health', '--world', 'default', '--json', '--url', url)).toMatchObject({
    stdout: '{"ready":true}\n',
  })
})

test('the health, advance and reset commands work against a running server', async () => {
  const { url, clockControl } = await start()
  expect(await run('health', '--url', url)).toMatchObject({ code: 0, stdout: 'ready\n' })
  const { stdout } = await run('advance', 'P31D', '--url', url)
  expect(stdout).toBe(`${new Date(clockControl.read().now).toISOString()}\n`)
  expect((await run('reset', '--url', url)).code).toBe(0)
})

test('emit sends a number or a string as the value of a device attribute', async () => {
  const { url, store } = await start()
  const device = 'aaaaaaaa-0000-4000-8000-000000000001'
  const emitted = await run('emit', device, 'switchLevel', 'level', '42', '--unit', '%', '--url', url)
  expect([emitted.code, JSON.parse(emitted.stdout)]).toEqual([0, expect.objectContaining({ value: 42, unit: '%' })])
  const cold = await run('emit', device, 'temperatureMeasurement', 'temperature', '-5.5', '--url', url)
  expect(JSON.parse(cold.stdout)).toMatchObject({ value: -5.5 })
  await run('emit', device, 'switch', 'switch', 'on', '--component', 'second', '--url', url)
  expect((await store.devices.get(device))?.components['second']?.['switch']?.['switch']).toMatchObject({ value: 'on' })
  expect((await run('emit', 'nothing', 'c', 'a', '1', '--url', url)).stderr).toContain('device nothing does not exist')
})

test('coverage lists what is not covered and exits with code 1 below --min', async () => {
  const { url, app } = await start()
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: { 'request-source': 'vendor.com' } })
  const told = await run('coverage', '--url', url)
  expect([told.code, told.stdout]).toEqual([0, expect.stringMatching(/\nstatuses +1 of \d+\n.*% covered\n$/s)])
  expect(told.stdout).not.toMatch(/^operation 30: 200$/m)
  expect(told.stdout).toMatch(/^operation 30: 400$/m)
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660' })
  const { code, stdout, stderr } = await run('coverage', '--url', url, '--min', '90', '--format', 'junit')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^[\d.]+% is less than 90%\n$/)])
  expect(stdout).toContain('<testcase classname="statuses" name="operation 30: 400"/>')
  expect(stdout).toMatch(/<failure message="[\d.]+% is less than 90%"\/>/)
  expect(findXmlErrors(stdout)).toEqual([])
  for (const wrong of [
    ['--min', 'all'],
    ['--format', 'pdf'],
  ]) {
    expect(await run('coverage', ...wrong)).toMatchObject({ code: 2 })
  }
})

test('worlds, faults and devices can be created, listed and deleted', async () => {
  const { url } = await start()
  const say = async (...words: string[]) => (await run(...words, '--url', url)).stdout.trim()
  expect(await say('create', 'world', 'demo')).toBe(`${url}/w/demo`)
  expect(await say('list', 'worlds')).toMatch(/^demo +- /m)
  expect(await say('create', 'world')).toMatch(/\/w\/[a-z0-9-]+$/)
  expect((await say('create', 'fault', 'flaky')).split('\n').length).toBeGreaterThan(1)
  const fault = await say(
    'create',
    'fault',
    '{"match": {"operation": 30}, "respond": {"status": 503}}',
    '--world',
    'demo',
  )
  expect(await say('list', 'faults', '--world', 'demo')).toContain(fault)
  expect(await say('delete', 'fault', fault, '--world', 'demo')).toBe(`Deleted fault ${fault}`)
  const light = JSON.parse(await say('list', 'devices', '--json')).items.find(
    (each: { deviceId: string }) => each.deviceId === LIGHT,
  )
  const deviceId = 'aaaaaaaa-0000-4000-8000-0000000000ff'
  expect(await say('create', 'device', JSON.stringify({ ...light, deviceId }))).toBe(deviceId)
  expect(await say('list', 'devices')).toContain(deviceId)
  expect(await say('delete', 'device', deviceId)).toBe(`Deleted device ${deviceId}`)
  expect(await say('list', 'devices')).not.toContain(deviceId)
  expect(JSON.parse(await say('reset', '--world', 'demo', '--json'))).toEqual({ world: 'demo' })
  expect(await say('delete', 'world', 'demo')).toBe('Deleted world demo')
  expect(await say('list', 'worlds')).not.toContain('demo')
  expect(JSON.parse(await say('create', 'world', 'made', '--json'))).toEqual({ name: 'made', url: `${url}/w/made` })
  expect(JSON.parse(await say('delete', 'world', 'made', '--json'))).toEqual({ name: 'made' })
  expect(JSON.parse(await say('create', 'fault', 'slow', '--json')).items).toHaveLength(1)
})

test('list tickets prints as many rows as --limit requests, or all rows with --all', async () => {
  const { url } = await start()
  const count = async (...words: string[]) => {
    const { stdout, stderr } = await run('list', 'tickets', ...words, '--url', url)
    return [stdout.trimEnd().split('\n').length - 1, stderr]
  }
  const [all, rest] = await count('--all')
  expect(all).toBeGreaterThan(400)
  expect(rest).toBe('')
  expect(await count('--limit', '7')).toEqual([7, `${Number(all) - 7} more (--all shows all)\n`])
  expect(await count('--limit', String(all))).toEqual([all, ''])
})

test.each([
  [['list', 'tickets', '--limit', '0'], '--limit 0 is not a whole number from 1'],
  [['logs', '--limit', '1000'], '--limit 1000 is out of range. Use 1 to 100, or --all'],
  [['list', 'tikets'], 'streams, tickets, tokens (did you mean tickets?)'],
  [['logs', '--path', 'zip'], "--path zip does not begin with /. Use a path such as '/stg/us/*' or '*/zip*'"],
  [['list', 'worlds', '--world', 'demo'], 'list worlds does not accept --world'],
  [['create', 'user', 'demo'], 'user is not one of world, fault, device, token'],
  [['create', 'fault', '[5]'], '[5] is not a JSON object'],
  [['create', 'fault'], 'VALUE is missing. Add the JSON of the fault'],
  [['create', 'world', ''], 'VALUE is empty'],
  [['create', 'fault', 'flakky'], 'flakky is neither a JSON object nor a fault profile (did you mean flaky?)'],
  [['record', '--out', 'none.jsonl', '--', ''], 'no command to run. Add it after --'],
  [['examine', '--', ''], 'no command to run. Add it after --'],
  [['proxy', 'ca', '--host', 'a.example', '--ca', '/proc/vendor-cloud/ca'], 'no such file or directory (ENOENT)'],
])('the error for the invalid arguments %s uses command-line terms', async (args, says) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
})

test('logs --all prints every journal entry, even if there is more than one page', async () => {
  const { url, app } = await start()
  for (let i = 0; i < 103; i++) await app.inject({ url: `/stg/us/guest/zipCode?zipCode=${i}` })
  const lines = (await run('logs', '--all', '--url', url)).stdout.trimEnd().split('\n')
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    103,
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z GET +\S+zipCode=0 /),
    expect.stringContaining('zipCode=102'),
  ])
})

test.each([
  [2, ['create', 'world', 'Bad Name'], 'NAME must be 1 to 64 characters: a-z, 0-9 and -'],
  [1, ['delete', 'world', 'nope'], 'world nope does not exist; try default'],
  [1, ['delete', 'world', 'default'], 'the default world cannot be deleted. npx --no vendor-cloud reset resets it'],
  [
    1,
    ['list', 'tickets', '--world', 'nope'],
    'world nope does not exist; run npx --no vendor-cloud list worlds to list them, or create world NAME to create one',
  ],
  [2, ['create', 'fault', '{"matchh": {}}'], 'match is required; JSON has no field matchh; the nearest is match'],
  [1, ['delete', 'fault', 'nope'], 'no fault has the id nope; npx --no vendor-cloud list faults lists them'],
  [2, ['create', 'device', '{"deviceId": "x"}'], 'locationId is required'],
  [1, ['delete', 'device', 'nope'], 'there is no device nope; npx --no vendor-cloud list devices lists them'],
  [1, ['delete', 'device', `${LIGHT}x`], `there is no device ${LIGHT}x; the nearest is ${LIGHT}`],
  [
    2,
    ['emit', LIGHT, 'swich', 'switch', 'on'],
    'CAPABILITY is not a known capability; the nearest is switch (--force accepts it)',
  ],
  [
    2,
    ['emit', LIGHT, 'switch', 'switch', 'onn'],
    'VALUE must be one of on, off; the nearest is on (--force accepts it)',
  ],
  [2, ['advance', 'P1X'], 'DURATION must be an ISO 8601 duration such as P31D, at most P999Y; a clock advances '],
  [2, ['logs', '--operation', '99'], '--operation 99 is not an operation. Use 1 to 41, createServiceToken, '],
  [2, ['logs', '--method', 'GTE'], '--method must be one of GET, HEAD, '],
  [2, ['logs', '--trace', 'zzz'], '--trace must be 32 hexadecimal digits'],
] as const)('exit code %i and command-line terms report the server response to %s', async (exit, args, says) => {
  const { url } = await start()
  const { code, stderr } = await run(...args, '--url', url)
  expect([code, stderr]).toEqual([exit, expect.stringContaining(`vendor-cloud: ${says}`)])
  expect(stderr).not.toMatch(/body\.|query\.|_control|: true|the server responded with/)
})

test('--help aligns its options, and serve --help lists environment variables that have no option', async () => {
  const { stdout } = await run('record', '--help')
  const columns = [...stdout.matchAll(/^ {2}(-\S+(?: \S+)? {2,})/gm)].map(([, option]) => option!.length)
  expect(columns.length).toBeGreaterThan(4)
  expect(new Set(columns).size).toBe(1)
  const further = /Other environment variables.*/.exec((await run('serve', '--help')).stdout)?.[0]
  for (const name of ['TLS_CERT', 'PUBLIC_URL', 'DATABASE_URL', 'CONTROL', 'HEARTBEAT_SECONDS']) {
    expect(further).toMatch(new RegExp(`\\b${name}\\b`))
  }
  expect(further).not.toMatch(/\bPORT\b/)
  expect((await run('serve', '--help')).stdout).toContain('Log format: text, json; default: text on a terminal')
})
