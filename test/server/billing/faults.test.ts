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

describe('the errors of the document', () => {
  test.each([
    ['secret missing', token(''), 10],
    ['secret empty', token('<secret/>'), 10],
    ['secret nil', token(`<secret ${xsi} xsi:nil="true"/>`), 10],
    ['secret nil in figures', token(`<secret ${xsi} xsi:nil=" 1 ">${SECRET}</secret>`), 10],
    ['secret an empty CDATA section', token('<secret><![CDATA[]]></secret>'), 10],
    ['secret in a foreign namespace', token(`<secret xmlns="urn:other">${SECRET}</secret>`), 10],
    ['secret of 13 digits', token('<secret>1234567890123</secret>'), 15],
    ['secret with a letter', token('<secret>12345678901a</secret>'), 15],
    ['secret with white space', token(`<secret> ${SECRET}</secret>`), 15],
    ['secret of white space', token('<secret> </secret>'), 15],
    ['secret in other digits', token('<secret>&#x661;&#x662;</secret>'), 15],
    ['secret with a line end', token(`<secret>${SECRET}&#10;</secret>`), 15],
    ['secret twice', token(`<secret>${SECRET}</secret><secret>${SECRET}</secret>`), 15],
    ['secret twice, once qualified', token(`<secret>${SECRET}</secret><ws:secret>${SECRET}</ws:secret>`), 15],
    ['secret as elements', token(`<secret><value>${SECRET}</value></secret>`), 15],
    ['secret unknown', token('<secret>999</secret>'), 300],
    ['secret without its leading zeros', token('<secret>42</secret>'), 300],
    ['purchaseID missing', status(unknownToken), 10],
    ['serviceToken missing', status('<purchaseID>purchase-active</purchaseID>'), 10],
    ['both missing', status(''), 10],
    ['purchaseID empty, before an unknown token', status(`<purchaseID></purchaseID>${unknownToken}`), 10],
    ['one missing, the other twice', status('<purchaseID>a</purchaseID><purchaseID>b</purchaseID>'), 10],
    [
      'purchaseID twice, before an unknown token',
      status(`<purchaseID>a</purchaseID><purchaseID>b</purchaseID>${unknownToken}`),
      15,
    ],
    ['serviceToken twice', status(`<purchaseID>purchase-active</purchaseID>${unknownToken}${unknownToken}`), 15],
    ['serviceToken unknown', status(`<purchaseID>purchase-active</purchaseID>${unknownToken}`), 300],
    ['serviceToken of 95 characters', status(`<purchaseID>p</purchaseID>${unknownToken.replace('x', '')}`), 300],
    ['serviceToken with a dash', status(`<purchaseID>p</purchaseID>${unknownToken.replace('x', '-')}`), 300],
  ])('%s', async (_, message, errorCode) => {
    expect(await server.send(message)).toEqual(serviceFault(errorCode))
  })

  test('white space around a valid token is part of it', async () => {
    const serviceToken = `${await server.createServiceToken()}\n`
    const reply = await server.send(call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken }))
    expect(reply).toEqual(serviceFault(300))
  })

  test.each(['purchase-other', 'purchase-nobody', ' purchase-active', 'x'.repeat(9000), '__proto__'])(
    'other sellers and unknown owners are reported alike for %.20s',
    async (purchaseID) => {
      const serviceToken = await server.createServiceToken()
      expect(await server.send(call('getSubscriptionStatus', { purchaseID, serviceToken }))).toEqual(serviceFault(15))
    },
  )

  test('a seller sees only its own purchases', async () => {
    expect(await server.getSubscriptionStatus('purchase-other', OTHER_SECRET)).toMatchObject({
      subscriptionStatus: 'ACTIVE',
    })
    expect(await server.getSubscriptionStatus('purchase-active', OTHER_SECRET)).toMatchObject({ errorCode: '15' })
  })

  test('an internal failure is -1 without details', async () => {
    const message = call('createServiceToken', { secret: SECRET })
    server.clock.set('+275760-09-13T00:00:00.000Z')
    server.clock.advance(1)
    expect(await server.send(message)).toEqual(serviceFault(-1))
  })
})

describe('requests that are not valid', () => {
  const good = `<ws:createServiceToken><secret>${SECRET}</secret></ws:createServiceToken>`
  const bare = (content: string) => `<e:Envelope xmlns:e="${SOAP}" xmlns:ws="${NAMESPACE}">${content}</e:Envelope>`
  const header = (attributes: string) => envelope(good, `<e:Header><h xmlns="urn:h" ${attributes}>x</h></e:Header>`)
  const soap12 = envelope(good).replaceAll(SOAP, 'http://www.w3.org/2003/05/soap-envelope')

  test.each([
    ['no XML', 'Client', 'hello'],
    ['no body at all', 'Client', ''],
    ['JSON', 'Client', '{"secret":"123456789012"}'],
    ['another root', 'Client', '<a/>'],
    ['SOAP 1.2', 'VersionMismatch', soap12],
    ['an envelope of no version', 'VersionMismatch', '<Envelope><Body/></Envelope>'],
    ['an envelope without a body', 'Client', bare('')],
    ['a header only', 'Client', bare('<e:Header/>')],
    ['an empty body', 'Client', envelope('')],
    ['two calls', 'Client', envelope(good + good)],
    ['two bodies', 'Client', bare(`<e:Body>${good}</e:Body><e:Body/>`)],
    ['a body in no namespace', 'Client', bare(`<Body>${good}</Body>`)],
    ['a header after the body', 'Client', bare(`<e:Body>${good}</e:Body><e:Header/>`)],
    ['text in the body', 'Client', envelope(`secret${good}`)],
    ['text in the envelope', 'Client', bare(`x<e:Body>${good}</e:Body>`)],
    ['an unknown operation', 'Client', envelope('<ws:deleteEverything/>')],
    ['an operation named constructor', 'Client', envelope('<ws:constructor/>')],
    ['an operation in no namespace', 'Client', envelope('<createServiceToken/>')],
    ['an operation in another namespace', 'Client', envelope('<createServiceToken xmlns="urn:other"/>')],
    ['an undeclared prefix', 'Client', envelope('<x:createServiceToken/>')],
    ['a header that must be understood', 'MustUnderstand', header('e:mustUnderstand="1"')],
    [
      'one for the next actor',
      'MustUnderstand',
      header(`e:mustUnderstand="1" e:actor="${SOAP.replace('envelope', 'actor')}next"`),
    ],
    [
      'one that must and a call without operation',
      'MustUnderstand',
      header('e:mustUnderstand="1"').replaceAll('createS', 'x'),
    ],
  ])('%s', async (_, faultcode, message) => {
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
      envelope('<createServiceToken/>'),
      `createServiceToken is in no namespace but must be in the namespace ${NAMESPACE}`,
    ],
  ])('the fault for %s says what was sent and what exists', async (message, words) => {
    expect((await server.send(message)).text).toContain(`<faultstring>${words}</faultstring>`)
  })

  test.each([
    ['need not be understood', 'e:mustUnderstand="0"'],
    ['is for another actor', 'e:mustUnderstand="1" e:actor="urn:somebody-else"'],
    ['is plain', ''],
  ])('a header that %s is ignored', async (_, attributes) => {
    expect(await server.send(header(attributes))).toMatchObject({ status: 200 })
  })
})
