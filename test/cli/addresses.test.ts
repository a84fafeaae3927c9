import { EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { connectVendorCloud } from '../../src/index.ts'
import { readConfig } from '../../src/server/config.ts'
import { startServer } from '../../src/server/server.ts'
import { buildTestApp, listen } from '../helpers/build-test-app.ts'

async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(args, { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

test('a --url that contains a world selects that world, and a different --world is rejected', async () => {
  const url = await listen(buildTestApp().app)
  await connectVendorCloud(url).world('demo')
  const done = { code: 0, stderr: 'Reset world demo\n' }
  expect(await run('reset', '--url', `${url}/w/demo`)).toMatchObject(done)
  expect(await run('reset', '--url', `${url}/w/demo/`, '--world', 'demo')).toMatchObject(done)
  const refused = await run('advance', 'P1D', '--url', `${url}/w/demo`, '--world', 'r2')
  const says = 'vendor-cloud: --url is for world demo, but --world is r2. Remove /w/demo from --url\n'
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(says) })
})

test('a --url that is the address of the MCP server selects the server and its world', async () => {
  const url = await listen(buildTestApp().app)
  await connectVendorCloud(url).world('demo')
  for (const [path, world] of [
    ['/_control/mcp', 'default'],
    ['/w/demo/_control/mcp/', 'demo'],
  ] as const) {
    const done = { code: 0, stderr: `Reset world ${world}\n` }
    expect(await run('reset', '--url', url + path)).toMatchObject(done)
  }
})

test('commands do not use the proxy of NODE_USE_ENV_PROXY for a server on this machine', async () => {
  const url = await listen(buildTestApp().app)
  const usual = getGlobalDispatcher()
  onTestFinished(() => setGlobalDispatcher(usual))
  // Node installs this agent if NODE_USE_ENV_PROXY and HTTP_PROXY are set. Nothing listens on port 9.
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpProxy: 'http://127.0.0.1:9', noProxy: '' }))
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed')
  for (const [words, stdout] of [
    [['health'], 'ready\n'],
    [['health', '--live'], 'live\n'],
    [['list', 'worlds'], expect.stringMatching(/\ndefault /)],
  ] as const) {
    expect([words, await run(...words, '--url', url)]).toEqual([words, { code: 0, stdout, stderr: '' }])
  }
})

test('without --url, a command that cannot reach the server says how to fix this', async () => {
  vi.stubEnv('PORT', '2')
  onTestFinished(() => void vi.unstubAllEnvs())
  const stderr = expect.stringContaining('connection refused (ECONNREFUSED). Start the server, or set --url\n')
  expect(await run('reset')).toMatchObject({ code: 1, stderr })
})

test('a command for a server with CONTROL=off says that the control API is off', async () => {
  const server = await startServer(readConfig({ PORT: '0', CONTROL: 'off' }))
  onTestFinished(() => server.close())
  const { stderr } = await run('list', 'worlds', '--url', server.url)
  expect(stderr).toBe('vendor-cloud: the control API of this server is off (CONTROL=off)\n')
})
