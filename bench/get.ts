/**
 * Measures the CPU time per GET with identity, validation, store and response schema, against a bare Fastify that
 * returns a constant of the same size. Limit: 1.20. The journal is off, because it has its own benchmark. Also measures
 * the same GET in a world with 1,000 faults on other operations against a world without faults. Limit: 1.05. Run: npx
 * tsx bench/get.ts
 */
import fastify from 'fastify'
import { bundle } from './harness/bundle.ts'
import { ourServer } from './harness/our-server.ts'
import { serveInChild } from './harness/side-by-side.ts'
import { compareInSlices } from './harness/slices.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const path = '/stg/us/guest/zipCode?zipCode=07660'

const bareServer = () => {
  const app = fastify()
  app.get('/constant', async () => constant)
  return app
}
const constant = {
  zipCode: '07660',
  city: 'Ridgefield Park',
  state: 'NJ',
  stateName: 'New Jersey',
  county: 'Bergen',
  country: 'US',
  lat: 40.8562,
  lng: -74.023,
  timeZone: 'America/New_York',
}

const FAULTS = 1000
const others = [1, 8, 19, 25, 31]

async function addFaults(address: string): Promise<void> {
  for (let i = 0; i < FAULTS; i++) {
    const reply = await fetch(`${address}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { operation: others[i % others.length] }, respond: { status: 503 } }),
    })
    if (!reply.ok) throw new Error(`fault ${i} is not added: ${await reply.text()}`)
  }
}

if (!(await serveInChild({ bare: bareServer, ours: () => ourServer({ journal: false }) }))) {
  const program = await bundle(import.meta.filename)
  const ours = { program, args: ['ours'], path, headers }
  await compareInSlices({ title: 'GET zip code against bare Fastify', connections: 10, runs: 10 }, [
    { name: 'bare', program, args: ['bare'], path: '/constant', headers },
    { ...ours, name: 'ours', limit: 1.2 },
  ])
  await compareInSlices({ title: 'GET zip code with 1,000 faults on other operations', connections: 10, runs: 10 }, [
    { ...ours, name: 'without faults' },
    { ...ours, name: 'with faults', prepare: addFaults, limit: 1.05 },
  ])
}
