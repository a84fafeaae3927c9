import { expect, test } from 'vitest'
import { createTicket, findSlot } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { type Asked, type VendorChange, openVendor, type Reply } from './changed-server.ts'
import { compare, describe, record } from './compared.ts'

/** The choices that a user who knows the other vendor would make. */
const choices = {
  'request-source-web': ['vendor.com', 'shop.example'],
  'guest-identity': 'required',
  'zip-plus-four': 'accepted',
  'created-status': 201,
  'error-shape': 'empty',
  'page-size': 7,
  'page-max': 50,
  'unusable-values': 'reject',
  'cancel-nothing': 204,
}

const CREATES = /customerFeedback|cti\/guest\/token|customers\/ticket$|dealer\/customers$/

/** The other vendor is a copy without a profile. Its requests and responses are changed. */
const otherVendor: VendorChange = {
  choices: { 'unusable-values': 'reject' },
  ask(request: Asked) {
    const { headers } = request
    if (headers['request-source'] === 'shop.example') headers['request-source'] = 'vendor.com'
    if (/\/guest\//.test(request.url) && !headers['vendorus-profid']) headers['vendorus-profid'] = 'x'.repeat(513)
    request.url = request.url
      .replace(/(guest\/zipCode\?zipCode=\d{5})-\d{4}$/, '$1')
      .replace(/dealer\/tickets$/, '$&?limit=7')
      .replace(/limit=(?:5[1-9]|[6-9]\d|\d{3,})/, 'limit=1000')
  },
  change(reply: Reply, { method, url }: Asked) {
    const { headers } = reply
    if (method === 'POST' && reply.status === 200 && CREATES.test(url)) reply.status = 201
    if (method === 'DELETE' && reply.status === 404 && /instore\/cancel/.test(url)) reply.status = 204
    if (reply.status < 400 && reply.status !== 204) return
    if (!/\/stg\//.test(url)) return
    reply.text = ''
    delete headers['content-type']
  },
}

const shopper = { 'request-source': 'shop.example', 'vendorus-profId': 'web-alice' }
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

const readOf =
  (url: string) =>
  (path: string, headers: Record<string, string> = shopper): Promise<unknown> =>
    call(`${url}/stg/us/${path}`, 'GET', undefined, headers)

async function lookUp(url: string): Promise<void> {
  const read = readOf(url)
  for (const zip of ['07660', '07660-1234', '00000', '1']) await read(`guest/zipCode?zipCode=${zip}`)
  await read('guest/zipCode?zipCode=07660', { 'request-source': 'vendor.com' })
}

async function visit(url: string): Promise<void> {
  const read = readOf(url)
  await lookUp(url)
  await read('guest/zipCode?zipCode=07660', { ...shopper, 'request-source': 'elsewhere' })
  await read('guest/schedule')
  await read('instore/noauth/slots?ascCode=ASC001&ascType=WALKIN')
  await read('instore/detail')
  for (const query of ['', '?limit=3', '?limit=50', '?limit=51', '?limit=0'])
    await read(`dealer/tickets${query}`, dealer)
  await read('dealer/schedule', dealer)
  await createTicket(url, await findSlot(url))
  await call(`${url}/stg/us/guest/customerFeedback`, 'POST', { rating: 5, comment: 'good' }, shopper)
  await call(`${url}/stg/us/guest/customerFeedback`, 'POST', { rating: 9, comment: 'good' }, shopper)
  await call(`${url}/stg/us/instore/cancel?srid=9999999999`, 'DELETE', undefined, shopper)
}

test('a world with a profile of nine choices responds like another vendor', async () => {
  expect(Object.keys(choices)).toHaveLength(9)
  const upstream = await openVendor(otherVendor, 'theirs')
  const otherResult = await compare(await record(visit, choices), '--upstream', upstream, '--allow-writes')
  expect([otherResult.stderr, describe(otherResult.report)]).toEqual([expect.stringContaining('calls:'), []])
  expect(otherResult.code).toBe(0)
  const plain = await compare(await record(lookUp), '--upstream', upstream)
  expect([plain.code, describe(plain.report).length]).toEqual([1, 6])
})
