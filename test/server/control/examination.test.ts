import { expect, test } from 'vitest'
import { examinationOperations } from '../../../src/contract/control/examination.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'

const url = '/_control/examination'
const payload = examinationOperations.publishExamination.example.body as object

test('a published examination is available in every world and not recorded in the journal', async () => {
  const { app } = buildTestApp()
  expect((await app.inject(url)).statusCode).toBe(404)
  expect((await app.inject({ method: 'PUT', url, payload })).json()).toEqual(payload)
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'other' } })
  expect((await app.inject(`/w/other${url}`)).json()).toEqual(payload)
  expect((await app.inject('/_control/journal')).json()).toMatchObject({ totalCount: 0 })
})

test.each([
  [
    'an examination with an unknown scenario state',
    { scenarios: [{ name: 'one', state: 'over' }] },
    'scenarios[0].state',
  ],
  ['an examination with an unknown field', { evidence: [] }, 'evidence'],
  [
    'an examination with more than 1,000 scenarios',
    { scenarios: Array(1001).fill({ name: 'one', state: 'done' }) },
    'scenarios',
  ],
])('%s is rejected, and the published examination is not changed', async (_, part, target) => {
  const { app } = buildTestApp()
  await app.inject({ method: 'PUT', url, payload })
  const reply = await app.inject({ method: 'PUT', url, payload: { ...payload, ...part } })
  expect(reply.statusCode).toBe(400)
  expect(reply.payload).toContain(target)
  expect((await app.inject(url)).json()).toEqual(payload)
})

test('the status reports whether the world is recorded and whether an examination is published', async () => {
  const { app } = buildTestApp()
  const status = async (world = '') => (await app.inject(`${world}/_control/status`)).json()
  const plain = await status()
  expect([plain.recorded, plain.examined]).toEqual([undefined, undefined])
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'other' } })
  await app.inject({ method: 'PUT', url, payload })
  await app.inject({ method: 'POST', url: '/_control/recordings' })
  expect(await status()).toMatchObject({ recorded: true, examined: true })
  expect(await status()).not.toHaveProperty('recordingEnded')
  const other = await status('/w/other')
  expect([other.recorded, other.examined]).toEqual([undefined, true])
  await app.inject({ method: 'POST', url: '/_control/reset' })
  expect(await status()).toMatchObject({ recorded: true, recordingEnded: 'the world was reset or restored' })
  await app.inject({ method: 'DELETE', url: '/_control/recordings/current' })
  expect(await status()).not.toHaveProperty('recorded')
})
