import { expect, test } from 'vitest'
import { call, envelope, SECRET, startBilling } from '../../helpers/documents/soap.ts'

test('the journal shows the operation, the violated rule and the message as received', async () => {
  const server = await startBilling()
  const token = await server.createServiceToken()
  await server.send(call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken: token }))
  await server.send(call('getSubscriptionStatus', { purchaseID: 'nobody', serviceToken: token }))
  for (const secret of [`<![CDATA[${SECRET}]]>`, `<!-- -->${SECRET}`, `${SECRET}<!-- -->`, `${SECRET}</secret><x>`]) {
    const wrapper = `<secret>${secret}</secret>`
    await server.send(envelope(`<a:createServiceToken xmlns:a="urn:a">${wrapper}</a:createServiceToken>`))
  }
  const { payload } = await server.app.inject('/_control/journal?limit=50')
  const { entries } = JSON.parse(payload) as {
    entries: { operation?: string; status: number; why?: { source?: string } }[]
  }
  expect(entries.map(({ operation, status, why }) => [operation, status, why?.source])).toEqual([
    ...Array.from({ length: 4 }, () => [undefined, 500, expect.stringMatching(/SOAP 1\.1|XML 1\.0/)]),
    ['getSubscriptionStatus', 500, 'document 3, section 7'],
    ['getSubscriptionStatus', 200, undefined],
    ['createServiceToken', 200, undefined],
  ])
  for (const sent of [SECRET, token, '<!-- -->']) expect(payload).toContain(sent)
})
