import { join } from 'node:path'
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

test('what the image holds runs two instances on PostgreSQL and Redis, with the drivers that it brings', async () => {
  const app = join(makeTemporaryFolder(), 'app')
  layOutImage(ROOT, app)
  const settings = { DATABASE_URL: installation.postgres.url, REDIS_URL: installation.redis.url, CONTROL_KEY }
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
