import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PACKED = ['dist', 'docs', 'fixtures', 'openapi', 'package.json', 'README.md']

const script = `
import { setupServer } from 'msw/node'
import { startVendorCloud } from 'vendor-cloud'
import { vendorHandlers } from 'vendor-cloud/msw'

const cloud = await startVendorCloud({ port: false })
setupServer(...vendorHandlers(cloud, { hosts: ['support.vendor.example'] })).listen({ onUnhandledRequest: 'error' })
const base = 'https://support.vendor.example'
const headers = { 'request-source': 'splus' }
const lookUp = () => fetch(base + '/stg/us/guest/zipCode?zipCode=07660', { headers })
const fault = (respond) => cloud.faults.add({ match: { operation: 30 }, respond, times: 1 })
const said = [(await (await lookUp()).json()).city]
await fault({ reset: true })
said.push(await lookUp().catch(({ name }) => name))
await fault({ cut: 5 })
said.push(await (await lookUp()).text().catch(({ name }) => name))
const form = new FormData()
form.set('imageFile', new Blob(['GIF89aAAAA   ,AAAAAAAA \\t;'], { type: 'image/gif' }), 'screen.gif')
const image = base + '/stg/us/guest/serviceRequest/asset/symptomImage?srid=4100000017'
said.push((await fetch(image, { method: 'POST', headers, body: form })).status)
const bearer = { authorization: 'Bearer token-home' }
const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
const { registrationUrl } = await (await fetch(base + '/subscriptions', { method: 'POST', headers: bearer, body })).json()
said.push(new URL(registrationUrl).host)
const reader = (await fetch(registrationUrl)).body.pipeThrough(new TextDecoderStream()).getReader()
said.push((await reader.read()).value.includes('welcome'))
await reader.cancel()
form.set('imageFile', new Blob([new Uint8Array(40_000_000)], { type: 'image/gif' }), 'large.gif')
said.push((await cloud.fetch(new Request(image, { method: 'POST', headers, body: form }))).status)
await cloud.stop()
console.log(JSON.stringify(said))
process.exit(0)
`

test('the handlers work with version 3 of Mock Service Worker on Node 24', () => {
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  writeFileSync(join(folder, 'script.js'), script)
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 200_000 })
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false', 'msw@3.0.5')
  mkdirSync(join(folder, 'node_modules/vendor-cloud'))
  for (const name of PACKED)
    cpSync(join(ROOT, name), join(folder, 'node_modules/vendor-cloud', name), { recursive: true })
  const said = run('npx', '-y', '-p', 'node@24', 'node', 'script.js')
  const expected = ['Ridgefield Park', 'TypeError', 'TypeError', 200, 'support.vendor.example', true, 400]
  expect(JSON.parse(said)).toEqual(expected)
})
