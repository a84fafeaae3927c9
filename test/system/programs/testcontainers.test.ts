import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layOutImage } from '../../../scripts/build/image.mjs'
import { startEngine } from './container-engine.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
let folder: string
let engine: Awaited<ReturnType<typeof startEngine>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-testcontainers-'))
  const app = join(folder, 'app')
  layOutImage(ROOT, app)
  engine = await startEngine(folder, app, 'vendor-cloud')
  await run(process.execPath, [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'scripts/writers/types.ts'], { cwd: ROOT })
}, 200_000)
afterAll(async () => {
  await engine.end()
  rmSync(folder, { recursive: true })
})

const script = `
import { VendorCloudContainer } from 'vendor-cloud/testcontainers'

const container = await new VendorCloudContainer().withEnvironment({ SEED: 'any' }).start()
const headers = { 'request-source': 'vendor.com' }
const cityIn = async (base) => {
  const reply = await fetch(base + '/stg/us/guest/zipCode?zipCode=07660', { headers })
  return reply.ok ? (await reply.json()).city : reply.status
}
const said = [await cityIn(container.getUrl())]
const world = await container.world({ name: 'one', now: '2026-05-06T16:00:00Z', frozen: true })
await world.faults.add({ match: { operation: 30 }, respond: { status: 503 }, times: 1 })
said.push(world.url === container.getUrl() + '/w/one', await cityIn(container.getUrl()), await cityIn(world.url), await cityIn(world.url))
said.push((await world.clock.read()).now, (await container.defaultWorld().clock.read()).frozen)
const status = container.getUrl() + '/_control/status'
said.push((await fetch(status)).status)
said.push((await fetch(status, { headers: { 'x-control-key': container.getControlKey() } })).status)
const bearer = { authorization: 'Bearer token-home' }
const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
const reply = await fetch(container.getUrl() + '/subscriptions', { method: 'POST', headers: bearer, body })
said.push((await reply.json()).registrationUrl.startsWith(container.getUrl()))
await container.stop()
const own = await new VendorCloudContainer('vendor-cloud').withEnvironment({ CONTROL_KEY: 'a-key-of-my-own-that-is-long' }).start()
said.push(own.getControlKey(), (await own.world({ name: 'two' })).name)
await own.stop()
said.push(await fetch(own.getUrl()).catch(() => 'away'))
console.log(JSON.stringify(said))
`

const types = `
import { Wait } from 'testcontainers'
import { type StartedVendorCloudContainer, VendorCloudContainer } from 'vendor-cloud/testcontainers'
import type { VendorCloudWorld } from 'vendor-cloud'

const container: VendorCloudContainer = new VendorCloudContainer().withStartupTimeout(1000).withWaitStrategy(Wait.forListeningPorts())
const started: StartedVendorCloudContainer = await container.withNetworkAliases('vendor').start()
export const url: string = started.getUrl()
export const world: VendorCloudWorld = await started.world({ now: '2026-05-06T16:00:00Z' })
export const id: string = started.getId()
// @ts-expect-error a misspelt option
void started.world({ nwo: '' })
`

test.each([
  ['11.14.0', [process.execPath]],
  ['12.2.0', ['npx', '-y', '-p', 'node@24', 'node']],
])(
  'Testcontainers %s starts, uses and stops a container of the image with matching library types',
  async (version, node) => {
    const user = join(folder, `user-of-${version}`)
    mkdirSync(user)
    writeFileSync(join(user, 'package.json'), '{"private": true, "type": "module"}')
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false']
    await run('npm', [...install, `testcontainers@${version}`], { cwd: user })
    const installed = join(user, 'node_modules/vendor-cloud')
    mkdirSync(installed)
    for (const name of ['dist', 'fixtures', 'openapi', 'package.json'])
      cpSync(join(ROOT, name), join(installed, name), { recursive: true })
    writeFileSync(join(user, 'script.js'), script)
    const env = {
      ...process.env,
      DOCKER_HOST: engine.address,
      TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
      // Ryuk is the Testcontainers container that cleans up after an aborted run.
      TESTCONTAINERS_RYUK_DISABLED: 'true',
    }
    const [command, ...args] = node
    const { stdout } = await run(command!, [...args, 'script.js'], { cwd: user, env, timeout: 200_000 })
    const city = 'Ridgefield Park'
    const expected = [city, true, city, 503, city, '2026-05-06T16:00:00.000Z', false, 401, 200, true]
    expect(JSON.parse(stdout)).toEqual([...expected, 'a-key-of-my-own-that-is-long', 'two', 'away'])
    expect({ unknown: engine.unknown, left: engine.count() }).toEqual({ unknown: [], left: 0 })

    symlinkSync(join(ROOT, 'node_modules/typescript'), join(user, 'node_modules/typescript'))
    writeFileSync(join(user, 'types.mts'), types)
    const options = [
      '--strict',
      '--skipLibCheck',
      '--noEmit',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable,dom',
    ]
    await run(
      process.execPath,
      ['node_modules/typescript/lib/tsc.js', ...options, '--module', 'nodenext', 'types.mts'],
      {
        cwd: user,
      },
    )
  },
)
