/**
 * Measures the CPU time per POST of a customer (operation 7) and per edit (operation 13) with 2,000 different bodies,
 * against a bare Fastify that returns the body. The journal is on, and logs are silent. Limit: 3.5. Run: npx tsx
 * bench/writes/post.ts
 */
import fastify from 'fastify'
import { bundle } from '../harness/bundle.ts'
import { ourServer } from '../harness/our-server.ts'
import { serveInChild } from '../harness/side-by-side.ts'
import { compareInSlices } from '../harness/slices.ts'

const path = '/stg/us/dealer/customers'
const headers = {
  'content-type': 'application/json',
  'request-source': 'vendor.com',
  'vendorus-profId': 'dealer-erin',
}

function bareServer() {
  const app = fastify()
  app.post('*', async ({ body }) => body)
  return app
}

const towns = [
  { city: 'Ridgefield Park', state: 'NJ', zipCode: '07660' },
  { city: 'New York', state: 'NY', zipCode: '10001' },
  { city: 'Chicago', state: 'IL', zipCode: '60601-1234' },
  { city: 'Houston', state: 'TX', zipCode: '77002' },
]

const bodies = Array.from({ length: 2000 }, (_, i) => {
  const line = 1_000_000 + i * 4001
  const digits = String(line % 10_000_000).padStart(7, '0')
  const phoneNumber = [`+1201${digits}`, `(201) ${digits.slice(0, 3)}-${digits.slice(3)}`][i % 2]
  return JSON.stringify({
    firstName: `Priya ${i}`,
    lastName: `Nair ${i % 97}`,
    email: `priya.nair.${i}@example.com`,
    phoneNumber,
    ...(i % 3 === 0 && { mobilePhone: `212-555-${String(i % 10_000).padStart(4, '0')}`, address2: `Apartment ${i}` }),
    address1: `${i} Main Street`,
    ...towns[i % towns.length],
  })
})

if (!(await serveInChild({ bare: bareServer, ours: () => ourServer() }))) {
  const request = {
    program: await bundle(import.meta.filename),
    method: 'POST',
    headers,
    bodies: async () => bodies,
  } as const
  for (const [title, url] of [
    ['POST of a customer', path],
    ['edit of a customer', `${path}/1000000001`],
  ] as const) {
    await compareInSlices({ title, connections: 64, runs: 6 }, [
      { ...request, name: 'bare', args: ['bare'], path: url },
      { ...request, name: 'ours', args: ['ours'], path: url, limit: 3.5 },
    ])
  }
}
