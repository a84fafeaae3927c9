/**
 * CPU per getSubscriptionStatus against a bare Fastify POST of the same size. Limits: 4.2 with the journal off, 4.8
 * with it on. Run: npx tsx bench/soap.ts
 */
import fastify from 'fastify'
import { bundle } from './ground/bundle.ts'
import { ourServer } from './ground/our-server.ts'
import { serveInChild } from './ground/side-by-side.ts'
import { compareInSlices } from './ground/slices.ts'

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

/** Only this server's own tokens are valid. */
async function newCall(address: string): Promise<string> {
  const reply = await post(address, call('createServiceToken', '<secret>123456789012</secret>'))
  const [, token] = /<output>(\w{96})</.exec(reply) ?? []
  if (token === undefined) throw new Error(`no token: ${reply}`)
  const inputs = `<purchaseID>purchase-active</purchaseID><serviceToken>${token}</serviceToken>`
  return call('getSubscriptionStatus', inputs)
}

const roles = { bare: bareServer, ours: () => ourServer({ journal: false }), journaled: () => ourServer() }

if (!(await serveInChild(roles))) {
  const request = { program: await bundle(import.meta.filename), path, method: 'POST', headers } as const
  const alike = call('getSubscriptionStatus', `<serviceToken>${'x'.repeat(152)}</serviceToken>`)
  await compareInSlices({ title: 'SOAP against a bare POST', connections: 10, runs: 10 }, [
    { ...request, name: 'bare', args: ['bare'], body: async () => alike },
    { ...request, name: 'journal off', args: ['ours'], body: newCall, limit: 4.2 },
    { ...request, name: 'journal on', args: ['journaled'], body: newCall, limit: 4.8 },
  ])
}
