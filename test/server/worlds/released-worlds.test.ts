import { expect, onTestFinished, test } from 'vitest'
import { createServedTools } from '../../../src/cli/mcp/served-tools.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { ask, collectGarbage, die, live, liveAndDie } from './lives.ts'

// In addition, `npm run test:endurance` measures how much memory many deleted worlds still use.
test.each([
  ['memory', () => ({})],
  ['disk', () => ({ DATA_DIR: makeTemporaryFolder() })],
])('a deleted world can be garbage-collected, in %s', async (_, settings) => {
  const server = await startServer(readConfig({ PORT: '0', SIMULATE: '1', ...settings() }), { mcp: createServedTools })
  onTestFinished(() => server.close())
  const seen = await liveAndDie(server, 'first')
  expect(seen.length).toBeGreaterThan(0)
  // Connections and queues may still reference the last world that they served.
  await ask(`${server.url}/_control/worlds`, 'POST', { name: 'last' })
  await live(`${server.url}/w/last`)
  await die(server.url, 'last')
  await collectGarbage()
  expect(seen.filter((each) => each.deref())).toEqual([])
})

test('a new world with the name of a deleted world does not have its recording', async () => {
  const { url, close } = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(close)
  await ask(`${url}/_control/worlds`, 'POST', { name: 'again' })
  await ask(`${url}/w/again/_control/recordings`, 'POST', { name: 'first' })
  await ask(`${url}/_control/worlds/again`, 'DELETE')
  await ask(`${url}/_control/worlds`, 'POST', { name: 'again' })
  expect((await call(`${url}/w/again/_control/recordings/current`, 'GET')).status).toBe(404)
  await ask(`${url}/w/again/_control/recordings`, 'POST', { name: 'second' })
  await ask(`${url}/w/again/_control/reset`, 'POST')
  const ended = await (await fetch(`${url}/w/again/_control/recordings/current`)).text()
  expect(ended).toContain('{"ended":"the world was reset or restored"}')
})
