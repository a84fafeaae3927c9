/**
 * CPU per GET with identity, validation, store and response schema, against a bare Fastify that returns a constant of
 * the same size. Limit 1.20. The journal is off here, and a benchmark of its own. Run: npx tsx bench/get.ts
 */
import fastify from 'fastify'
import { bundle } from './ground/bundle.ts'
import { ourServer } from './ground/our-server.ts'
import { serveInChild } from './ground/side-by-side.ts'
import { compareInSlices } from './ground/slices.ts'

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
  latitude: 40.8562,
  longitude: -74.023,
  timeZone: 'America/New_York',
}

if (!(await serveInChild({ bare: bareServer, ours: () => ourServer({ journal: false }) }))) {
  const program = await bundle(import.meta.filename)
  await compareInSlices({ title: 'GET zip code against bare Fastify', connections: 10, runs: 10 }, [
    { name: 'bare', program, args: ['bare'], path: '/constant', headers },
    { name: 'ours', program, args: ['ours'], path, headers, limit: 1.2 },
  ])
}
