import { startCaseServer } from '../../../src/cli/cases/start-case-server.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { playMoments } from '../../../src/tools/cases/player/case-moments.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { createWorldClient } from '../../../src/tools/client/world-client.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { pastCases, playPast, read, withoutSecrets } from './past-cases.ts'

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
      const { moments } = await playPast(url, `case-${n}`, play)
      for (const { step, snapshot } of moments) {
        const draft = { name: `past-${n}-${step}`, from: `case-${n}`, at: step }
        expect(await call(`${url}/_control/worlds`, 'POST', draft)).toMatchObject({ status: 200, json: { at: step } })
        const stood = await read(`${url}/w/${draft.name}`, '/_control/snapshot')
        expect(stood === snapshot, `${title}, step ${step}`).toBe(true)
        await call(`${url}/_control/worlds/${draft.name}`, 'DELETE')
      }
    }
  },
)

test.each(Object.keys(engines) as (keyof typeof engines)[])(
  'on %s a case that is played leaves each step as it was then, secrets aside',
  async (engine) => {
    const { url } = await start()
    for (const [n, [title, play]] of Object.entries(pastCases).entries()) {
      const { url: world, moments } = await playPast(url, `case-${n}`, play)
      const file = parseCase(await read(world, '/_control/recordings/current'))
      const server = await startCaseServer(file.header, engines[engine]())
      const played = await playMoments(
        file,
        moments.map(({ step }) => step),
        server,
      )
      for (const [i, { snapshot, first }] of played.entries()) {
        expect(first, title).toBeUndefined()
        const isSame = withoutSecrets(snapshot) === withoutSecrets(moments[i]!.snapshot)
        expect(isSame, `${title}, step ${played[i]!.step}`).toBe(true)
      }
    }
  },
)

test('what cannot be gone back to is refused, and told what there is', async () => {
  const { url } = await start()
  const make = (draft: object) => call(`${url}/_control/worlds`, 'POST', draft)
  await make({ name: 'plain' })
  await make({ name: 'rec', now: '2026-03-02T15:00:00Z', frozen: true })
  await call(`${url}/w/rec/_control/recordings`, 'POST', {})
  expect(await make({ from: 'rec', at: 1 })).toMatchObject({
    status: 400,
    text: expect.stringContaining('no steps yet'),
  })
  await call(`${url}/w/rec/_control/tokens`, 'POST', { user: 'u', scopes: [], locations: [], expiresIn: 60 })
  expect(await make({ from: 'rec', at: 2 })).toMatchObject({ status: 400, text: expect.stringContaining('are 1 to 1') })
  for (const at of [0, -1, 1.5, '1', 'x', '2026-03-02T14:59:59Z', null, {}]) {
    expect(await make({ from: 'rec', at }), JSON.stringify(at)).toMatchObject({ status: at === null ? 200 : 400 })
  }
  expect(await make({ at: 1 })).toMatchObject({ status: 400 })
  expect(await make({ from: 'rec', at: 1, seed: 's' })).toMatchObject({ status: 400 })
  expect(await make({ from: 'nobody', at: 1 })).toMatchObject({
    status: 404,
    text: expect.stringContaining('there is'),
  })
  expect(await make({ from: 'plain', at: 1 })).toMatchObject({ status: 409, text: expect.stringContaining('are: rec') })
  expect(await make({ name: 'plain', from: 'rec', at: 1 })).toMatchObject({ status: 409 })
  const late = await make({ name: 'late', from: 'rec', at: '2026-03-02T15:00:00.000Z', profile: 'strict' })
  expect(late).toMatchObject({ status: 200, json: { at: 1, from: 'rec', profile: 'strict' } })
  const diff = (path: string) => call(`${url}/_control/worlds/${path}`, 'GET')
  expect((await diff('rec/diff?with=late')).json).toMatchObject({
    same: true,
    counts: { added: 0, removed: 0, changed: 0 },
  })
  expect(await diff('rec/diff')).toMatchObject({ status: 400 })
  expect(await diff('rec/diff?with=rec&at=9')).toMatchObject({ status: 400 })
  expect(await diff('rec/diff?with=nobody')).toMatchObject({ status: 404 })
  expect(await diff('plain/diff?with=rec&at=1')).toMatchObject({ status: 409 })
})

test('a moment that is none is refused, and never means the present; its clock cannot run from there', async () => {
  const { url } = await start()
  await call(`${url}/_control/worlds`, 'POST', { name: 'kept', now: '2026-03-02T15:00:00Z' })
  await call(`${url}/w/kept/_control/recordings`, 'POST', {})
  await call(`${url}/w/kept/_control/clock/advance`, 'POST', { duration: 'P1D' })
  const rewind = (draft: object) => call(`${url}/_control/worlds`, 'POST', { from: 'kept', ...draft })
  expect(await rewind({ at: '' })).toMatchObject({ status: 400, json: { error: { details: [{ target: 'body.at' }] } } })
  expect(await rewind({ at: 1, frozen: false })).toMatchObject({
    status: 400,
    json: { error: { details: [{ target: 'body.frozen' }] } },
  })
  expect(await rewind({ at: 1, frozen: true })).toMatchObject({ status: 200, json: { at: 1 } })
  const world = createWorldClient(url, { world: 'kept' })
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, null, undefined, '', new Date('never')]) {
    await expect(world.rewind(at as number)).rejects.toThrow(/^at must be the number of a step, an instant/)
  }
  expect((await call(`${url}/_control/worlds`, 'GET')).json).toMatchObject({ totalCount: 3 })
})
