import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeSchema } from '../../../src/server/billing/wsdl.ts'
import { writeWsdl } from '../../../src/server/billing/wsdl.ts'
import { parseXml, type XmlElement } from '../../../src/server/billing/xml.ts'
import { call, NAMESPACE, SECRET, serviceFault, startBilling } from '../../helpers/documents/soap.ts'
import { findXmlErrors } from '../../helpers/documents/xml.ts'

const attribute = (element: XmlElement | undefined, name: string) =>
  element?.attributes.find((each) => each.name === name)?.value
const all = (element: XmlElement, name: string): XmlElement[] =>
  element.elements.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
const names = (elements: XmlElement[]) => elements.map((element) => attribute(element, 'name'))

test('openapi/billing.wsdl matches the WSDL that the server writes', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../openapi/billing.wsdl'), 'utf8')
  expect(committed).toBe(writeWsdl('http://localhost:8080/iap/ws/RTCService'))
})

test('openapi/billing.xsd matches the schema that the server sends', async () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../openapi/billing.xsd'), 'utf8')
  const { address } = await startBilling()
  expect(await (await fetch(`${address}?xsd=1`)).text()).toBe(committed)
})

describe('WSDL details that published clients depend on', () => {
  const wsdl = parseXml(writeWsdl('http://localhost:8080/iap/ws/RTCService'))
  const OPERATIONS = ['createServiceToken', 'getSubscriptionStatus']

  test('the WSDL has the expected names for service, port, binding, port type and target namespace', () => {
    const found = ['service', 'port', 'binding', 'portType'].map((name) => names(all(wsdl, name)).filter(Boolean))
    expect(found).toEqual([['RTCServiceService'], ['RTCServicePort'], ['RTCServiceSoapBinding'], ['RTCService']])
    expect(attribute(wsdl, 'targetNamespace')).toBe(NAMESPACE)
  })

  test('each message has one part, named parameters, which refers to its element', () => {
    for (const message of all(wsdl, 'message')) {
      const parts = message.elements.map((part) => [attribute(part, 'name'), attribute(part, 'element')])
      expect(parts).toEqual([['parameters', `tns:${attribute(message, 'name')}`]])
    }
    const responses = OPERATIONS.flatMap((operation) => [operation, `${operation}Response`])
    expect(names(all(wsdl, 'message'))).toEqual([...responses, 'WebServiceException'])
  })

  test('both operations use document/literal style with an empty SOAPAction and declare WebServiceException', () => {
    const binding = all(wsdl, 'binding').find((each) => attribute(each, 'name') === 'RTCServiceSoapBinding')
    const operations = binding?.elements.filter(({ name }) => name === 'operation') ?? []
    expect(names(operations)).toEqual(OPERATIONS)
    for (const operation of operations) {
      const [soap] = operation.elements
      expect([attribute(soap, 'soapAction'), attribute(soap, 'style')]).toEqual(['', 'document'])
      const [wsdlFault, soapFault] = all(operation, 'fault')
      expect([attribute(wsdlFault, 'name'), attribute(soapFault, 'name')]).toEqual([
        'WebServiceException',
        'WebServiceException',
      ])
      const bodies = [...all(operation, 'body'), soapFault]
      expect(bodies.map((each) => attribute(each, 'use'))).toEqual(['literal', 'literal', 'literal'])
    }
  })

  test('the WSDL has no binding for SOAP 1.2', () => {
    expect(writeWsdl('http://x')).not.toContain('http://schemas.xmlsoap.org/wsdl/soap12/')
  })
})

const INPUTS = ['secret', 'purchaseID', 'serviceToken']

test.each([
  ['<secret>000000000042</secret>', true],
  ['<secret>1234567890123</secret>', false],
  ['<secret>12a</secret>', false],
  ['', false],
])('createServiceToken with the inputs %j is valid according to the schema: %s', (inputs, isValid) => {
  expect(isValidBySchema('createServiceToken', inputs)).toBe(isValid)
})

test.each([
  [`<purchaseID>purchase-active</purchaseID><serviceToken>${'aZ9'.repeat(32)}</serviceToken>`, true],
  [`<purchaseID></purchaseID><serviceToken>${'aZ9'.repeat(32)}</serviceToken>`, false],
  [`<purchaseID>purchase-active</purchaseID><serviceToken>${'a'.repeat(95)}</serviceToken>`, false],
  ['<purchaseID>purchase-active</purchaseID>', false],
])('getSubscriptionStatus with the inputs %j is valid according to the schema: %s', (inputs, isValid) => {
  expect(isValidBySchema('getSubscriptionStatus', inputs)).toBe(isValid)
})

const isValidBySchema = (operation: string, inputs: string) =>
  findXmlErrors(`<w:${operation} xmlns:w="${NAMESPACE}">${inputs}</w:${operation}>`, writeSchema()).length === 0

describe('addresses of the WSDL and its schema', () => {
  test.each(['?wsdl', '?WSDL', '?Wsdl', '?wsdl=1', '?x=y&WSDL='])('GET with %s returns the WSDL', async (query) => {
    const { address } = await startBilling()
    const reply = await fetch(address + query)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/xml; charset=UTF-8'])
    expect(await reply.text()).toBe(writeWsdl(address))
  })

  test('the WSDL contains the whole schema of ?xsd=1 and has no imports', async () => {
    const { address } = await startBilling()
    const wsdl = parseXml(await (await fetch(`${address}?wsdl`)).text())
    const [inline] = all(wsdl, 'schema')
    const schema = parseXml(await (await fetch(`${address}?xsd=1`)).text())
    const shape = ({ name, namespace, attributes, elements }: XmlElement): object => ({
      name,
      namespace,
      attributes,
      elements: elements.map(shape),
    })
    expect(shape(inline!)).toEqual(shape(schema))
    expect([...all(wsdl, 'import'), ...all(wsdl, 'include')]).toEqual([])
    expect(['targetNamespace', 'elementFormDefault'].map((name) => attribute(schema, name))).toEqual([
      NAMESPACE,
      'unqualified',
    ])
  })

  test('no schema type has the same name as one of its fields', async () => {
    const schema = parseXml(writeSchema())
    const types = schema.elements.filter(({ name }) => name === 'complexType')
    const response = types.find((type) => attribute(type, 'name') === 'getSubscriptionStatusResponse')
    expect(all(response!, 'element').map((each) => attribute(each, 'type'))).toEqual(['tns:subscriptionStatusInfo'])
    for (const type of types) {
      expect(names(all(type, 'element'))).not.toContain(attribute(type, 'name'))
    }
  })

  test('the WSDL has documentation that marks the API as deprecated', () => {
    const wsdl = parseXml(writeWsdl('http://x'))
    const portType = wsdl.elements.find(({ name }) => name === 'portType')!
    for (const [first] of [wsdl.elements, portType.elements]) {
      expect([first!.name, first!.text]).toEqual(['documentation', expect.stringContaining('Deprecated')])
    }
  })

  test('each global element has a type of the same name', async () => {
    const { address } = await startBilling()
    const schema = parseXml(await (await fetch(`${address}?xsd=1`)).text())
    const globals = schema.elements.filter(({ name }) => name === 'element')
    const types = names(schema.elements.filter(({ name }) => name === 'complexType'))
    for (const element of globals) expect(types).toContain(attribute(element, 'name'))
    for (const element of all(schema, 'sequence').flatMap(({ elements }) => elements)) {
      const name = attribute(element, 'name') ?? ''
      const isRequired = [...INPUTS, 'errorCode', 'localPrice', 'supplyPrice'].includes(name)
      expect([name, attribute(element, 'minOccurs')]).toEqual([name, isRequired ? undefined : '0'])
    }
  })

  test('the WSDL of a named world has addresses with the world prefix', async () => {
    const { address, app } = await startBilling()
    await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'team-a' } })
    const place = address.replace('/iap/', '/w/team-a/iap/')
    expect(await (await fetch(`${place}?wsdl`)).text()).toBe(writeWsdl(place))
    const init = {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: call('createServiceToken', { secret: SECRET }),
    }
    const serviceToken = /<output>(\w+)</.exec(await (await fetch(place, init)).text())?.[1] ?? ''
    const ask = { ...init, body: call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken }) }
    expect((await fetch(place, ask)).status).toBe(200)
    expect(await (await fetch(address, ask)).text()).toBe(serviceFault(300).text)
  })

  test('addresses in the WSDL have the Host of the request, escaped for XML', async () => {
    const { address, app } = await startBilling()
    const forged = await app.inject({ url: '/iap/ws/RTCService?wsdl', headers: { host: 'shop.example:81' } })
    expect(forged.body).toBe(writeWsdl('http://shop.example:81/iap/ws/RTCService'))
    for (const host of ['vendor_cloud:8080', '_dmarc.x', 'tasks.vendor-cloud_api', '[fe80::1]:80']) {
      const named = await app.inject({ url: '/iap/ws/RTCService?wsdl', headers: { host } })
      expect(named.body).toContain(`location="http://${host}/iap/ws/RTCService"`)
    }
    const hostile = await app.inject({ url: '/iap/ws/RTCService?wsdl', headers: { host: '"/><x>&' } })
    expect(parseXml(hostile.body).name).toBe('definitions')
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/iap\/ws\/RTCService$/)
  })
})
