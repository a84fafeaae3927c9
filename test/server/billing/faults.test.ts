import { beforeEach, describe, expect, test } from 'vitest'
import {
  type BillingServer,
  call,
  envelope,
  NAMESPACE,
  OTHER_SECRET,
  SECRET,
  SOAP,
  senderFault,
  serviceFault,
  startBilling,
} from '../../helpers/documents/soap.ts'

let server: BillingServer
beforeEach(async () => {
  server = await startBilling()
})

const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
const token = (children: string) => envelope(`<ws:createServiceToken>${children}</ws:createServiceToken>`)
const status = (children: string) => envelope(`<ws:getSubscriptionStatus>${children}</ws:getSubscriptionStatus>`)
const unknownToken = `<serviceToken>${'x'.repeat(96)}</serviceToken>`

describe('the error codes of the document', () => {
  test.each([
    ['a missing secret', token(''), 10],
    ['an empty secret', token('<secret/>'), 10],
    ['a secret with xsi:nil="true"', token(`<secret ${xsi} xsi:nil="true"/>`), 10],
    ['a secret with xsi:nil="1"', token(`<secret ${xsi} xsi:nil=" 1 ">${SECRET}</secret>`), 10],
    ['a secret that is an empty CDATA section', token('<secret><![CDATA[]]></secret>'), 10],
    ['a secret in a foreign namespace', token(`<secret xmlns="urn:other">${SECRET}</secret>`), 10],
    ['a secret of 13 digits', token('<secret>1234567890123</secret>'), 15],
    ['a secret with a letter', token('<secret>12345678901a</secret>'), 15],
    ['a secret with leading white space', token(`<secret> ${SECRET}</secret>`), 15],
    ['a secret of white space only', token('<secret> </secret>'), 15],
    ['a secret with non-ASCII digits', token('<secret>&#x661;&#x662;</secret>'), 15],
    ['a secret with a line end', token(`<secret>${SECRET}&#10;</secret>`), 15],
    ['two secrets', token(`<secret>${SECRET}</secret><secret>${SECRET}</secret>`), 15],
    [
      'two secrets, one of them with a namespace prefix',
      token(`<secret>${SECRET}</secret><ws:secret>${SECRET}</ws:secret>`),
      15,
    ],
    ['a secret with a child element', token(`<secret><value>${SECRET}</value></secret>`), 15],
    ['an unknown secret', token('<secret>999</secret>'), 300],
    ['a secret without its leading zeros', token('<secret>42</secret>'), 300],
    ['a missing purchaseID', status(unknownToken), 10],
    ['a missing serviceToken', status('<purchaseID>purchase-active</purchaseID>'), 10],
    ['neither purchaseID nor serviceToken', status(''), 10],
    ['an empty purchaseID and an unknown token', status(`<purchaseID></purchaseID>${unknownToken}`), 10],
    ['two purchaseIDs and no serviceToken', status('<purchaseID>a</purchaseID><purchaseID>b</purchaseID>'), 10],
    [
      'two purchaseIDs and an unknown token',
      status(`<purchaseID>a</purchaseID><purchaseID>b</purchaseID>${unknownToken}`),
      15,
    ],
    ['two serviceTokens', status(`<purchaseID>purchase-active</purchaseID>${unknownToken}${unknownToken}`), 15],
    ['an unknown serviceToken', status(`<purchaseID>purchase-active</purchaseID>${unknownToken}`), 300],
    ['a serviceToken of 95 characters', status(`<purchaseID>p</purchaseID>${unknownToken.replace('x', '')}`), 300],
    ['a serviceToken with a dash', status(`<purchaseID>p</purchaseID>${unknownToken.replace('x', '-')}`), 300],
  ])('the billing endpoint rejects a message with %s', async (_, message, errorCode) => {
    expect(await server.send(message)).toEqual(serviceFault(errorCode))
  })

  test('a valid token followed by a line end is rejected with error 300', async () => {
    const serviceToken = `${await server.createServiceToken()}\n`
    const reply = await server.send(call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken }))
    expect(reply).toEqual(serviceFault(300))
  })

  test.each(['purchase-other', 'purchase-nobody', ' purchase-active', 'x'.repeat(9000), '__proto__'])(
    'a purchase of another seller returns the same error as an unknown purchase (%#)',
    async (purchaseID) => {
      const serviceToken = await server.createServiceToken()
      expect(await server.send(call('getSubscriptionStatus', { purchaseID, serviceToken }))).toEqual(serviceFault(15))
    },
  )

  test('the journal distinguishes the purchase of another seller from an unknown purchase', async () => {
    const serviceToken = await server.createServiceToken()
    const reasons: string[] = []
    for (const purchaseID of ['purchase-other', ' purchase-active']) {
      await server.send(call('getSubscriptionStatus', { purchaseID, serviceToken }))
      reasons.push((await server.app.inject('/_control/journal?limit=1')).json().entries[0].why.message)
    }
    expect(reasons).toEqual([
      expect.stringMatching(/^purchaseID belongs to another seller/),
      'no purchase has the purchaseID " purchase-active"; GET /_control/purchases lists purchases',
    ])
  })

  test('a seller can only read the status of its own purchases', async () => {
    expect(await server.getSubscriptionStatus('purchase-other', OTHER_SECRET)).toMatchObject({
      subscriptionStatus: 'ACTIVE',
    })
    expect(await server.getSubscriptionStatus('purchase-active', OTHER_SECRET)).toMatchObject({ errorCode: '15' })
  })

  test('an internal failure is reported as error -1 without details', async () => {
    const message = call('createServiceToken', { secret: SECRET })
    server.clock.set('+275760-09-13T00:00:00.000Z')
    server.clock.advance(1)
    expect(await server.send(message)).toEqual(serviceFault(-1))
  })
})

describe('messages that are not valid SOAP calls', () => {
  const good = `<ws:createServiceToken><secret>${SECRET}</secret></ws:createServiceToken>`
  const bare = (content: string) => `<e:Envelope xmlns:e="${SOAP}" xmlns:ws="${NAMESPACE}">${content}</e:Envelope>`
  const header = (attributes: string) => envelope(good, `<e:Header><h xmlns="urn:h" ${attributes}>x</h></e:Header>`)
  const soap12 = envelope(good).replaceAll(SOAP, 'http://www.w3.org/2003/05/soap-envelope')

  test.each([
    ['text that is not XML', 'Client', 'hello'],
    ['an empty message', 'Client', ''],
    ['JSON', 'Client', '{"secret":"123456789012"}'],
    ['an unknown root element', 'Client', '<a/>'],
    ['a SOAP 1.2 envelope', 'VersionMismatch', soap12],
    ['an envelope without a namespace', 'VersionMismatch', '<Envelope><Body/></Envelope>'],
    ['an envelope without a body', 'Client', bare('')],
    ['an envelope with a header only', 'Client', bare('<e:Header/>')],
    ['an envelope with an empty body', 'Client', envelope('')],
    ['an envelope with two calls', 'Client', envelope(good + good)],
    ['an envelope with two bodies', 'Client', bare(`<e:Body>${good}</e:Body><e:Body/>`)],
    ['a body in no namespace', 'Client', bare(`<Body>${good}</Body>`)],
    ['an envelope with a header after the body', 'Client', bare(`<e:Body>${good}</e:Body><e:Header/>`)],
    ['an envelope with text in the body', 'Client', envelope(`secret${good}`)],
    ['an envelope with text outside the body', 'Client', bare(`x<e:Body>${good}</e:Body>`)],
    ['an unknown operation', 'Client', envelope('<ws:deleteEverything/>')],
    ['an operation named constructor', 'Client', envelope('<ws:constructor/>')],
    ['an operation in no namespace', 'Client', envelope('<createServiceToken/>')],
    ['an operation in another namespace', 'Client', envelope('<createServiceToken xmlns="urn:other"/>')],
    ['an undeclared prefix', 'Client', envelope('<x:createServiceToken/>')],
    ['a header with mustUnderstand', 'MustUnderstand', header('e:mustUnderstand="1"')],
    [
      'a header with mustUnderstand for the next actor',
      'MustUnderstand',
      header(`e:mustUnderstand="1" e:actor="${SOAP.replace('envelope', 'actor')}next"`),
    ],
    [
      'a header with mustUnderstand and an unknown operation',
      'MustUnderstand',
      header('e:mustUnderstand="1"').replaceAll('createS', 'x'),
    ],
  ])('%s is rejected with the matching SOAP fault code', async (_, faultcode, message) => {
    const reply = await server.send(message)
    expect(reply).toEqual(senderFault(faultcode, reply))
  })

  test.each([
    [
      envelope('<ws:deleteEverything/>'),
      'operation deleteEverything does not exist. Use createServiceToken and getSubscriptionStatus',
    ],
    [
      envelope('<createServiceToken xmlns="urn:other"/>'),
      `createServiceToken is in urn:other but must be in the namespace ${NAMESPACE}`,
    ],
    [
      soap12,
      `the envelope is in http://www.w3.org/2003/05/soap-envelope but must be in the SOAP 1.1 namespace ${SOAP}`,
    ],
    [
      envelope('<createServiceToken/>'),
      `createServiceToken is in no namespace but must be in the namespace ${NAMESPACE}`,
    ],
    [
      header('e:mustUnderstand="1"'),
      'header h has mustUnderstand, but this service supports no headers. Remove mustUnderstand',
    ],
    [envelope('<x:createServiceToken/>'), 'the prefix x is not declared'],
  ])('the fault for %s names the mistake', async (message, words) => {
    expect((await server.send(message)).text).toContain(`<faultstring>${words}</faultstring>`)
  })

  test.each([
    ['has mustUnderstand="0"', 'e:mustUnderstand="0"'],
    ['is addressed to another actor', 'e:mustUnderstand="1" e:actor="urn:somebody-else"'],
    ['has no SOAP attributes', ''],
  ])('a SOAP header that %s is ignored', async (_, attributes) => {
    expect(await server.send(header(attributes))).toMatchObject({ status: 200 })
  })
})
