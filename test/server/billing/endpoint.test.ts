import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { call, envelope, NAMESPACE, SECRET, SOAP, senderFault, startBilling } from '../../helpers/documents/soap.ts'

const good = call('createServiceToken', { secret: SECRET })
const padded = (bytes: number) => good + ' '.repeat(bytes - good.length)
const LIMIT = 64 * 1024

describe('requests that differ from the documented form but are accepted', () => {
  test.each([
    ['an unquoted SOAPAction', { soapaction: 'createServiceToken' }],
    ['a wrong SOAPAction', { soapaction: '"urn:getSubscriptionStatus"' }],
    ['an empty content type', { 'content-type': '' }],
    ['an uppercase content type', { 'content-type': 'TEXT/XML;Charset="UTF-8"' }],
    ['a content type with parameters', { 'content-type': "text/xml; action=x ; charset='utf-8'" }],
    ['an Accept header with SOAP 1.2', { accept: 'application/soap+xml, text/xml, multipart/related' }],
    ['identity as content-encoding', { 'content-encoding': 'identity' }],
  ])('the billing endpoint accepts %s', async (_, headers) => {
    const server = await startBilling()
    expect(await server.send(good, headers)).toMatchObject({ status: 200, type: 'text/xml; charset=UTF-8' })
  })

  const secret = `<secret>${SECRET}</secret>`
  test.each([
    ['a default namespace', `<createServiceToken xmlns="${NAMESPACE}">${secret}</createServiceToken>`],
    [
      'child elements with xmlns=""',
      `<createServiceToken xmlns="${NAMESPACE}">${secret.replace('>', ' xmlns="">')}</createServiceToken>`,
    ],
    [
      'two different prefixes',
      `<a:createServiceToken xmlns:a="${NAMESPACE}"><ws:secret>${SECRET}</ws:secret></a:createServiceToken>`,
    ],
    [
      'encodingStyle and xsi:type',
      `<ws:createServiceToken e:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><secret xsi:type="xsd:string"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"
        >${SECRET}</secret></ws:createServiceToken>`,
    ],
    [
      'unknown child elements',
      `<ws:createServiceToken>text<other><x/></other>${secret}<more/></ws:createServiceToken>`,
    ],
    ['CDATA', `<ws:createServiceToken><secret><![CDATA[${SECRET}]]></secret></ws:createServiceToken>`],
    [
      'character references and comments',
      '<ws:createServiceToken><secret>&#49;2345<!-- -->6789&#x30;12</secret></ws:createServiceToken>',
    ],
  ])('the billing endpoint accepts a message with %s', async (_, body) => {
    const server = await startBilling()
    expect(await server.send(envelope(body))).toMatchObject({ status: 200 })
  })

  test('the billing endpoint accepts UTF-16 with a byte order mark or a charset', async () => {
    const server = await startBilling()
    const marked = Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-16"?>${good}`, 'utf16le')
    expect(await server.send(marked, { 'content-type': 'text/xml' })).toMatchObject({ status: 200 })
    const plain = Buffer.from(good, 'utf16le').swap16()
    expect(await server.send(plain, { 'content-type': 'text/xml; charset=utf-16' })).toMatchObject({ status: 200 })
  })

  test.each(['gzip', 'x-gzip', 'GZIP'])(
    'the billing endpoint accepts a body with content-encoding %s',
    async (encoding) => {
      const server = await startBilling()
      expect(await server.send(gzipSync(good), { 'content-encoding': encoding })).toMatchObject({ status: 200 })
    },
  )

  test("the billing endpoint accepts a deflate body as sent by PHP's SOAP_COMPRESSION_DEFLATE", async () => {
    const server = await startBilling()
    expect(await server.send(deflateSync(good), { 'content-encoding': 'deflate' })).toMatchObject({ status: 200 })
  })

  test('a POST without ?wsdl and with an element after the body is accepted', async () => {
    const { address } = await startBilling()
    const body = good
      .replace('</e:Envelope>', '<t:trailer xmlns:t="urn:t"/></e:Envelope>')
      .replaceAll('e:Body', 'f:Body')
    const message = body.replace('<f:Body>', `<f:Body xmlns:f="${SOAP}">`)
    const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'text/xml' }, body: message })
    expect(reply.status).toBe(200)
  })
})

describe('requests that are rejected with an HTTP error', () => {
  test.each(['application/soap+xml', 'application/xml', 'text/plain', 'application/json', 'text/xmlx', 'nonsense'])(
    'a request with content type %s is rejected with 415',
    async (type) => {
      const server = await startBilling()
      const reply = await server.send(good, { 'content-type': type })
      expect(reply).toMatchObject({ status: 415, type: 'text/plain; charset=utf-8' })
    },
  )

  test('the error for the content type of SOAP 1.2 names the right one', async () => {
    const { text } = await (await startBilling()).send(good, { 'content-type': 'application/soap+xml' })
    expect(text).toBe('content type application/soap+xml is not supported. Send a SOAP 1.1 message as text/xml\n')
  })

  test.each(['br', 'zstd', 'gzip, gzip'])(
    'a request with content-encoding %s is rejected with 415',
    async (encoding) => {
      const server = await startBilling()
      expect(await server.send(good, { 'content-encoding': encoding })).toMatchObject({ status: 415 })
    },
  )

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is rejected with 405 and an Allow header', async (method) => {
    const { address } = await startBilling()
    const reply = await fetch(`${address}?wsdl`, { method })
    expect([reply.status, reply.headers.get('allow'), reply.headers.get('content-type')]).toEqual([
      405,
      'GET, HEAD, POST',
      'text/plain; charset=utf-8',
    ])
  })

  test('a body of more than 64 KiB is rejected with 413, with or without gzip', async () => {
    const server = await startBilling()
    expect(await server.send(padded(LIMIT))).toMatchObject({ status: 200 })
    expect(await server.send(padded(LIMIT + 1))).toMatchObject({ status: 413, type: 'text/plain; charset=utf-8' })
    const gzip = { 'content-encoding': 'gzip' }
    expect(await server.send(gzipSync(padded(LIMIT)), gzip)).toMatchObject({ status: 200 })
    expect(await server.send(gzipSync(padded(LIMIT + 1)), gzip)).toMatchObject({ status: 413 })
  })

  test.each([
    ['another charset', good, { 'content-type': 'text/xml; charset=iso-8859-1' }],
    ['a truncated gzip body', gzipSync(good).subarray(0, 60), { 'content-encoding': 'gzip' }],
    ['a body that is not gzip', good, { 'content-encoding': 'gzip' }],
  ])('the server rejects %s with a sender fault', async (_, body, headers) => {
    const server = await startBilling()
    const reply = await server.send(body, headers)
    expect(reply).toEqual(senderFault('Client', reply))
  })

  test('a request to an unknown world returns 404', async () => {
    const server = await startBilling()
    expect(await server.send(good, { 'x-world': 'nobodys' })).toMatchObject({ status: 404 })
  })
})

describe('headers and pages that report the deprecation', () => {
  test.each([
    ['a successful response', 'POST', good],
    ['a fault', 'POST', '<a/>'],
    ['the WSDL', 'GET', undefined],
    ['a 405 response', 'DELETE', undefined],
    ['a 404 response for an unknown world', 'POST', good, 'nobodys'],
  ])('%s has Deprecation and Sunset headers', async (_, method, body, world = 'default') => {
    const { address } = await startBilling()
    const init = { method, headers: { 'content-type': 'text/xml', 'x-world': world }, ...(body ? { body } : {}) }
    const { headers } = await fetch(`${address}?wsdl`, init)
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([
      '@1735689599',
      'Tue, 31 Dec 2024 23:59:59 GMT',
    ])
    expect(1735689599 * 1000).toBe(Date.parse('Tue, 31 Dec 2024 23:59:59 GMT'))
  })

  test('a browser gets an HTML description, and other clients get plain text', async () => {
    const { address } = await startBilling()
    const page = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain(`<a href="${address}?wsdl">`)
    const text = await fetch(address)
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await text.text()).toMatch(/SOAP 1\.1, deprecated[\s\S]*\?wsdl/)
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(200)
  })
})
