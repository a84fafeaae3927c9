import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const envelope = (inputs: string, header = '') =>
  `<s:Envelope xmlns:s="${SOAP}">${header}<s:Body><w:getSubscriptionStatus xmlns:w="http://ws.iap.vendor.com/">` +
  `<purchaseID>purchase-seen</purchaseID>${inputs}</w:getSubscriptionStatus></s:Body></s:Envelope>`
const security = (password: string) =>
  '<s:Header><u:UsernameToken xmlns:u="urn:u"><u:Name>n</u:Name>' +
  `<u:Word>${password}</u:Word></u:UsernameToken></s:Header>`

async function send(payload: string | Buffer) {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/recordings', payload: {} })
  await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' }, payload })
  const read = async (url: string) => (await app.inject(url)).payload
  const journal = await read('/_control/journal')
  return {
    journal,
    archive: await read('/_control/journal?format=har'),
    saved: await read('/_control/recordings/current'),
  }
}

test.each([
  ['an element', '<password><v>canary-77</v></password>'],
  ['CDATA', '<auth><user>u</user><v><![CDATA[canary-77]]></v></auth>'],
])('what stands below an element that is named for a secret is shown nowhere: %s', async (_, inputs) => {
  for (const text of [envelope(inputs), envelope('', security('canary-77'))]) {
    const { journal, archive, saved } = await send(text)
    for (const shown of [journal, archive, saved]) {
      expect(shown).toContain('purchase-seen')
      expect(shown).not.toContain('canary-77')
    }
  }
})

test.each([
  ['an attribute', '<entry key="password">canary-77</entry>'],
  ['an attribute beside its value', '<param name="password" value="canary-77"/>'],
  ['an element beside its value', '<entry><name>password</name><value>canary-77</value></entry>'],
])('the journal shows no secret whose name stands in %s', async (_, inputs) => {
  const { journal } = await send(envelope(inputs))
  expect(journal).toContain('purchase-seen')
  expect(journal).not.toContain('canary-77')
})

test('the journal shows no secret of UTF-16 that says that it is UTF-8', async () => {
  const { journal } = await send(Buffer.from(envelope('<password>canary-77</password>'), 'utf16le'))
  expect(journal.replaceAll('\\u0000', '')).not.toContain('canary-77')
})
