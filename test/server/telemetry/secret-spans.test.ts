import { expect, test } from 'vitest'
import { startVendorCloud } from '../../../src/index.ts'
import { startCollector } from '../../helpers/collector.ts'

const CANARY = 'c4n4ry9secret8value7that6must5not4leave'
/** Only the name of the field shows that this is a secret. */
const SHORT = 'short-canary'

test('spans contain no secret, wherever in a request the secret was sent', async () => {
  const collector = await startCollector()
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    cloud
      .fetch(
        new Request(`http://localhost${path}`, { headers: { 'request-source': 'vendor.com', ...headers }, ...init }),
      )
      .then((reply) => reply.text())
  const post = { method: 'POST' }
  await ask('/stg/us/contact/contactReason', { 'vendorus-profId': CANARY, cookie: `vendorus-profId=${CANARY}` })
  await ask('/stg/us/contact/contactReason', { 'request-source': 'splus', 'vendorus-GUID': CANARY })
  await ask('/subscriptions', { authorization: `Bearer ${CANARY}` }, { ...post, body: '{}' })
  await ask(`/filters/11111111-0000-4000-8000-000000000001/activate?filterRegion=local&key=${CANARY}`)
  await ask(`/stg/us/instore/noauth/cancel?srid=1341379346&key=${CANARY}`)
  await ask(`/cancel?srid=1&key=${CANARY}`)
  await ask(`/wallet/v2.0/cards/check?partnerCode=${CANARY}&modelName=VM-S100&serviceType=WALLET`)
  await ask(`/stg/us/dealer/stores?accessToken=${CANARY}`, { 'vendorus-profId': 'dealer-erin' })
  await ask(`/nowhere/${CANARY}?%6bey=${CANARY}&token=${CANARY}`)
  await ask('/stg/us/guest/zipCode', { 'user-agent': `me https://x.example/?key=${CANARY}`, referer: `?key=${CANARY}` })
  await ask(`/_control/tokens/${CANARY}`, {}, { method: 'DELETE' })
  await ask(`/_control/records/sellers/${CANARY}`)
  await ask('/_control/status', { 'x-control-key': CANARY })
  await ask(`/filters/${CANARY}/activate?filterRegion=local`)
  await ask(`/_control/journal?q=${CANARY}&limit=1`)
  await ask(`/_control/outbox?x=${CANARY}&${CANARY}`)
  await ask(`/_%63ontrol/journal?q=${SHORT}`)
  await ask(`/stg/us/guest/zipCode?other=${CANARY}&apiKey=${SHORT}&password=${SHORT}&sig=${SHORT}&signature=${SHORT}`)
  const json = { 'content-type': 'application/json' }
  await ask('/_control/pact-states', json, { ...post, body: JSON.stringify({ state: `the token ${CANARY} is there` }) })
  const soap = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><w:getSubscriptionStatus
    xmlns:w="http://ws.iap.vendor.com/"><purchaseID>${CANARY}</purchaseID><serviceToken>${CANARY}</serviceToken>
    </w:getSubscriptionStatus></e:Body></e:Envelope>`
  await ask('/iap/ws/RTCService', { 'content-type': 'text/xml' }, { ...post, body: soap })
  await cloud.stop()
  expect(collector.spans.length).toBe(20)
  const texts = collector.requests.map(({ text }) => text).join('\n')
  expect(texts).not.toContain(CANARY)
  expect(texts).not.toContain(SHORT)
})
