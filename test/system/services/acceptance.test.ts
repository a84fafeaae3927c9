import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { layOutImage } from '../../../scripts/build/image.mjs'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { CONTROL_KEY, type Installation, install, putSetting, send } from './installation.ts'

const ROOT = join(import.meta.dirname, '../../..')

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

async function accept(url: string, settings: NodeJS.ProcessEnv = {}): Promise<void> {
  const program = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'test/system/acceptance/vitest.config.ts',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { ...process.env, BASE_URL: url, CONTROL_KEY, NO_COLOR: '1', ...settings },
  })
  expect(stdout).toMatch(/Tests +[1-9]\d* passed/)
}

test('the acceptance suite passes with records on disk', async () => {
  const server = await startProcess({ DATA_DIR: join(makeTemporaryFolder(), 'data') })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  await accept(server.url)
})

test('the acceptance suite passes on PostgreSQL while a second instance runs', async () => {
  const { url } = await installation.startInstance()
  await installation.startInstance()
  // On PostgreSQL, a hundred worlds take four minutes on two idle cores, because the server writes each world to the
  // database.
  await accept(url, { ACCEPTANCE_WORLDS: '20' })
}, 900_000)

test('the image runs two instances on PostgreSQL with the driver that it contains', async () => {
  const app = join(makeTemporaryFolder(), 'app')
  layOutImage(ROOT, app)
  const settings = { DATABASE_URL: installation.postgres.url, CONTROL_KEY }
  const start = async () => {
    const server = await startProcess(settings, { program: [join(app, 'dist/main.js')] })
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    return server
  }
  const [one, other] = [await start(), await start()]
  expect((await putSetting(one.url, 'of-the-image')).status).toBe(200)
  const { status } = await send('GET', `${other.url}/_control/records/settings/of-the-image`)
  expect(status).toBe(200)
})
