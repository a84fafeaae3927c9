/**
 * CPU per GET with identity, validation, store and response schema, against a bare Fastify that returns a constant of
 * the same size. Limit 1.20. The journal is off here, and a benchmark of its own. Run: npx tsx bench/get.ts
 */
import fastify from 'fastify'
import { compareServers, serveInChild, startServer } from './side-by-side.ts'
import { ourServer } from './our-server.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const zip = { path: '/stg/us/guest/zipCode?zipCode=07660', headers }

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
  const [bare, ours] = [
    await startServer(import.meta.filename, 'bare'),
    await startServer(import.meta.filename, 'ours'),
  ]
  const figures = { rounds: 21, amount: 5000, limit: 1.2 }
  await compareServers(
    { title: 'GET zip code against bare Fastify', ...figures },
    [bare, { path: '/constant', headers }],
    [ours, zip],
  )
  bare.stop()
  ours.stop()
}
