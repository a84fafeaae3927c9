import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Verifier } from '@pact-foundation/pact'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
/** A dealer's ticket in the fixtures. The snapshot replaces its srid with the one in the pact. */
const TICKET = '4100000017'
const names = ['rest', 'upload', 'event', 'soap'] as const

// Disables the report of each run that the verifier sends to its authors by default.
beforeAll(() => {
  vi.stubEnv('PACT_DO_NOT_TRACK', 'true')
  return () => void vi.unstubAllEnvs()
})

/** Returns the message that the provider sends, which is the data of the next event on a stream. */
async function sendEvent(cloud: VendorCloud): Promise<unknown> {
  const headers = { authorization: 'Bearer token-home' }
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await fetch(`${cloud.url}/subscriptions`, { method: 'POST', headers, body })
  const { registrationUrl } = (await made.json()) as { registrationUrl: string }
  const reader = (await fetch(registrationUrl)).body!.pipeThrough(new TextDecoderStream()).getReader()
  await reader.read()
  await cloud.events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value: 'on' })
  const { value = '' } = await reader.read()
  await reader.cancel()
  return JSON.parse(/^data: (.*)$/m.exec(value)![1]!)
}

async function verify(text: string): Promise<string> {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  const folder = makeTemporaryFolder()
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => void vi.restoreAllMocks())
  const snapshot = await (await fetch(`${cloud.url}/_control/snapshot`)).text()
  writeFileSync(join(folder, 'booked.json'), snapshot.replaceAll(TICKET, '1111111111'))
  const file = join(folder, 'pact.json')
  writeFileSync(file, text)
  return new Verifier({
    provider: 'vendor-cloud',
    providerBaseUrl: cloud.url,
    pactUrls: [file],
    providerStatesSetupUrl: `${cloud.url}/_control/pact-states`,
    messageProviders: { 'a light that goes on': () => sendEvent(cloud) as Promise<object> },
    logLevel: 'error',
  }).verifyProvider()
}

test.each(names)('the Pact verifier accepts the pact %s, and rejects it without its provider state', async (name) => {
  const text = readFileSync(join(import.meta.dirname, `pacts/${name}.json`), 'utf8')
  await verify(text)
  await expect(verify(text.replace(/"providerStates": \[[^\]]*\],/, ''))).rejects.toThrow('"result":false')
})
