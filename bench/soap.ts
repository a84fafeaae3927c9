/**
 * CPU per getSubscriptionStatus against a bare Fastify POST of the same size. Limits: 4.2 with the journal off, 4.8 with
 * it on.
 * Run: npx tsx bench/soap.ts
 */
import fastify from 'fastify'
import { ourServer } from './our-server.ts'
import { compareServers, serveInChild, startServer } from './side-by-side.ts'

const path = '/iap/ws/RTCService?wsdl'
const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }
/** As long as a real reply. */
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

const roles = { bare: bareServer, ours: () => ourServer({ journal: false }), journaled: () => ourServer() }

if (!(await serveInChild(roles))) {
  for (const [role, limit] of [
    ['ours', 4.2],
    ['journaled', 4.8],
  ] as const) {
    // Both new: one that has served the other comparison is faster for it.
    const bare = await startServer(import.meta.filename, 'bare')
    const ours = await startServer(import.meta.filename, role)
    const reply = await post(ours.address, call('createServiceToken', '<secret>123456789012</secret>'))
    const [, token] = /<output>(\w{96})</.exec(reply) ?? []
    const inputs = `<purchaseID>purchase-active</purchaseID><serviceToken>${token}</serviceToken>`
    const request = { path, method: 'POST' as const, headers, body: call('getSubscriptionStatus', inputs) }
    const title = `SOAP against a bare POST, journal ${role === 'ours' ? 'off' : 'on'}`
    await compareServers({ title, rounds: 15, amount: 4000, limit }, [bare, request], [ours, request])
    bare.stop()
    ours.stop()
  }
}
