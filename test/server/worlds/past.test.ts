import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { digestOf, pastCases, playPast, read } from './past-cases.ts'

async function start(settings: Readonly<Record<string, string>> = {}) {
  const server = await startServer(readConfig({ PORT: '0', ...settings }))
  onTestFinished(() => server.close())
  return server
}

const engines = { memory: () => ({}), disk: () => ({ DATA_DIR: makeTemporaryFolder() }) } as const

test.each(Object.keys(engines) as (keyof typeof engines)[])(
  'on %s each step of ten recorded worlds can be gone back to, byte for byte',
  async (engine) => {
    const { url } = await start(engines[engine]())
    for (const [n, [title, play]] of Object.entries(pastCases).entries()) {
      const world = `${url}/w/case-${n}`
      await call(`${url}/_control/worlds`, 'POST', { name: `case-${n}`, now: '2026-03-02T15:00:00Z', frozen: true })
      await call(`${world}/_control/recordings`, 'POST', {})
      for (const { step, digest } of await playPast(world, play)) {
        const draft = { name: `past-${n}-${step}`, from: `case-${n}`, at: step }
        expect(await call(`${url}/_control/worlds`, 'POST', draft)).toMatchObject({ status: 200, json: { at: step } })
        const stood = digestOf(await read(`${url}/w/${draft.name}`, '/_control/snapshot'))
        expect(stood, `${title}, step ${step}`).toBe(digest)
        await call(`${url}/_control/worlds/${draft.name}`, 'DELETE')
      }
    }
  },
)
