import { createTicket, findSlot, soap } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { openFrames } from '../cases/open-frames.ts'

const guest = { 'request-source': 'vendor.com' }
const dealer = { ...guest, 'vendorus-profId': 'dealer-erin' }
const alice = { ...guest, 'vendorus-profId': 'web-alice' }
const bearer = { authorization: 'Bearer token-home' }

/**
 * Sends about 40 requests to the APIs of all three documents: reads, writes and invalid requests. Opens a stream twice.
 */
export async function visit(url: string): Promise<void> {
  const read = (path: string, headers: Record<string, string> = guest) =>
    call(`${url}${path}`, 'GET', undefined, headers)
  for (const zip of ['07660', '10001', '00000', '1', '07660-1234']) await read(`/stg/us/guest/zipCode?zipCode=${zip}`)
  await read('/stg/us/guest/product/validation/490154203237518')
  await read('/stg/us/guest/symptom?subType=TV&language=E')
  await read('/stg/us/guest/schedule')
  await read('/stg/us/instore/noauth/nearest?zipCode=07660')
  await read('/stg/us/instore/noauth/taxonomy')
  await read('/stg/us/instore/noauth/slots?ascCode=ASC001&ascType=WALKIN')
  await read('/stg/us/instore/detail', alice)
  await read('/stg/us/instore/checkmobile', alice)
  await read('/stg/us/contact/reason', alice)
  for (const path of [
    'stores',
    'tickets',
    'tickets?limit=5&offset=5',
    'tickets?limit=1000',
    'customers?zipCode=07660',
    'customers/1000000001/products',
    'schedule',
  ]) {
    await read(`/stg/us/dealer/${path}`, dealer)
  }
  const { json } = await createTicket(url, await findSlot(url))
  const srid = String(json['srid'])
  await read(`/stg/us/dealer/tickets/${srid}`, dealer)
  await call(`${url}/stg/us/dealer/customers/ticket/${srid}`, 'DELETE', undefined, dealer)
  await read(`/stg/us/dealer/tickets/${srid}`, dealer)
  await call(`${url}/stg/us/guest/customerFeedback`, 'POST', { rating: 5, comment: 'good' }, guest)
  await call(`${url}/stg/us/cti/guest/token`, 'POST', undefined, guest)
  const [, token] = /<output>(\w+)</.exec(await soap(url, 'createServiceToken', '<secret>123456789012</secret>')) ?? []
  for (const purchase of ['purchase-active', 'purchase-cancelled', 'purchase-none']) {
    await soap(
      url,
      'getSubscriptionStatus',
      `<purchaseID>${purchase}</purchaseID><serviceToken>${token}</serviceToken>`,
    )
  }
  for (const model of ['VM-S100', 'VM-S300', '']) {
    await read(`/wallet/cmn/v2.0/device/available?partnerCode=partner-1001&modelName=${model}&serviceType=WALLET`)
  }
  const body = { name: 's', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const { json: made } = await call(`${url}/subscriptions`, 'POST', body, bearer)
  for (let i = 0; i < 2; i++) {
    const stream = await openFrames(String(made['registrationUrl']))
    await stream.take(1)
    await stream.cut()
  }
  await read(`/subscriptions/${String(made['subscriptionId'])}`, bearer)
  await call(`${url}/subscriptions/${String(made['subscriptionId'])}`, 'DELETE', undefined, bearer)
  await read(`/subscriptions/${String(made['subscriptionId'])}`, bearer)
}
