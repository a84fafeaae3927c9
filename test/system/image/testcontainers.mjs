// Starts a server from the image in VENDOR_CLOUD_IMAGE with Testcontainers and a real container engine.
// build-and-run.sh installs both packages next to this file.
import assert from 'node:assert/strict'
import process from 'node:process'
import { VendorCloudContainer } from 'vendor-cloud/testcontainers'

const container = await new VendorCloudContainer(process.env.VENDOR_CLOUD_IMAGE).start()
const world = await container.world({ now: '2026-05-06T16:00:00Z', frozen: true })
assert.equal((await world.clock.read()).now, '2026-05-06T16:00:00.000Z')
const headers = { 'request-source': 'vendor.com' }
const reply = await fetch(`${world.url}/stg/us/guest/zipCode?zipCode=07660`, { headers })
assert.equal((await reply.json()).city, 'Ridgefield Park')
assert.equal((await fetch(`${container.getUrl()}/_control/status`)).status, 401)
await container.stop()
