/**
 * Measures the CPU time per getSubscriptionStatus against a POST of the same size to a bare Fastify. Requests rotate
 * over 1,000 purchases, of which 100 change before each slice of 600 requests. Limits: 3.6 with the journal off, 4.1
 * with it on.
 * Run: npx tsx bench/soap.ts
 */
import fastify from 'fastify'
import { bundle } from './harness/bundle.ts'
import { ourServer } from './harness/our-server.ts'
import { serveInChild } from './harness/side-by-side.ts'
import { compareInSlices, shuffle } from './harness/slices.ts'

const PURCHASES = 1000
const CHANGED = 100
const path = '/iap/ws/RTCService?wsdl'
const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }
const constant = `<?xml version="1.0" encoding="UTF-8"?>\n<x>${'x'.repeat(1420)}</x>`

function bareServer() {
  const app = fastify()
  app.addContentTypeParser('text/xml', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/iap/ws/RTCService', async (_request, reply) => {
    reply.header('content-type', 'text/xml; charset=utf-8')
    return constant
  })
  return app
}

function call(operation: string, inputs: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"' +
    ' xmlns:ws="http://ws.iap.vendor.com/">' +
    `<soapenv:Header/><soapenv:Body><ws:${operation}>${inputs}</ws:${operation}></soapenv:Body></soapenv:Envelope>`
  )
}

async function post(address: string, body: string): Promise<string> {
  return (await fetch(address + path, { method: 'POST', headers, body })).text()
}

/** Creates a token, because each server accepts only its own tokens. */
async function newCalls(address: string): Promise<string[]> {
  const reply = await post(address, call('createServiceToken', '<secret>123456789012</secret>'))
  const [, token] = /<output>(\w{96})</.exec(reply) ?? []
  if (token === undefined) throw new Error(`no token: ${reply}`)
  const numbers = Array.from({ length: PURCHASES }, (_, i) => i)
  await Promise.all(numbers.map((number) => putPurchase(address, number)))
  return numbers.map((number) => {
    const inputs = `<purchaseID>bench-${number}</purchaseID><serviceToken>${token}</serviceToken>`
    return call('getSubscriptionStatus', inputs)
  })
}

async function changePurchases(address: string): Promise<void> {
  const numbers = shuffle(Array(PURCHASES).keys()).slice(0, CHANGED)
  await Promise.all(numbers.map((number) => putPurchase(address, number)))
}

async function putPurchase(address: string, number: number): Promise<void> {
  const records = `${address}/_control/records/purchases`
  const example = (await (await fetch(`${records}/purchase-active`)).json()) as object
  const changed = { ...example, purchaseID: `bench-${number}`, price: Math.round(Math.random() * 1000) / 100 }
  const reply = await fetch(`${records}/bench-${number}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(changed),
  })
  if (!reply.ok) throw new Error(`purchase ${number} is not changed: ${await reply.text()}`)
}

const roles = { bare: bareServer, ours: () => ourServer({ journal: false }), journaled: () => ourServer() }

if (!(await serveInChild(roles))) {
  const request = { program: await bundle(import.meta.filename), path, method: 'POST', headers } as const
  const alike = call('getSubscriptionStatus', `<serviceToken>${'x'.repeat(152)}</serviceToken>`)
  const ours = { ...request, bodies: newCalls, change: changePurchases }
  await compareInSlices({ title: 'SOAP against a bare POST', connections: 10, runs: 10 }, [
    { ...request, name: 'bare', args: ['bare'], bodies: async () => [alike] },
    { ...ours, name: 'journal off', args: ['ours'], limit: 3.6 },
    { ...ours, name: 'journal on', args: ['journaled'], limit: 4.1 },
  ])
}
