import { expect } from 'vitest'
import { call } from '../system/acceptance/server.ts'

/** `other` may be the URL of another instance. The fork must be visible on that instance too. */
export async function expectIndependentFork(url: string, other = url, headers: Record<string, string> = {}) {
  const ask = (method: string, at: string, body?: object) => call(at, method, body, headers)
  const make = (body: object) => ask('POST', `${url}/_control/worlds`, body)
  const put = (world: string, value: string) =>
    ask('PUT', `${url}/w/${world}/_control/records/settings/mine`, { name: 'mine', value })
  const snapshotOf = async (world: string) => (await ask('GET', `${other}/w/${world}/_control/snapshot`)).text
  const settingOf = async (world: string) =>
    (await ask('GET', `${other}/w/${world}/_control/records/settings/mine`)).json['value']
  await make({ name: 'source', seed: 's', now: '2030-01-07T12:00:00Z', frozen: true })
  await put('source', 'before')
  expect((await make({ name: 'fork', from: 'source' })).status).toBe(200)
  const forked = await snapshotOf('fork')
  expect(forked).toEqual(await snapshotOf('source'))
  expect(forked).toContain('"before"')
  await put('fork', 'of the fork')
  expect(await snapshotOf('source')).toEqual(forked)
  await put('source', 'of the source')
  expect(await settingOf('fork')).toBe('of the fork')
  await ask('DELETE', `${url}/_control/worlds/source`)
  expect(await settingOf('fork')).toBe('of the fork')
  await ask('POST', `${url}/w/fork/_control/reset`)
  expect(await snapshotOf('fork')).toEqual(forked)
  await ask('DELETE', `${url}/_control/worlds/fork`)
}
