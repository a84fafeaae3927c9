import {
  BILLING_PATH,
  type BillingOperation,
  DEFAULT_NAMESPACE,
  billingOperations,
} from '#contract/documents/billing/operations.ts'
import { escapeXml } from './envelope.ts'
import { documentErrors } from './errors.ts'
import type { FastifyRequest } from 'fastify'
import { baseUrl } from '../http/addresses.ts'
import { writeBlock, writeTable } from '../http/pages/page.ts'
import { statusFields, writeWsdl } from './wsdl.ts'

const introduction =
  'SOAP 1.1 service as OpenAPI, for tools that do not support WSDL. SOAP clients are generated from the WSDL at ' +
  '`?wsdl`. The interface was retired at the end of 2024.'

const { createServiceToken, getSubscriptionStatus } = billingOperations

/** OpenAPI cannot distinguish SOAP calls, so there is one POST operation with an example of each call. */
export function describeBilling(namespace = DEFAULT_NAMESPACE) {
  const examples = {
    createServiceToken: {
      summary: 'Issue a service token',
      value: writeExampleCall('createServiceToken', createServiceToken.example, namespace),
    },
    getSubscriptionStatus: {
      summary: 'Get the status of a subscription',
      value: writeExampleCall('getSubscriptionStatus', getSubscriptionStatus.example, namespace),
    },
  }
  const errors = documentErrors.map(({ errorCode, errorMessage }) => `${errorCode} ${errorMessage}`).join('; ')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Subscription billing',
      version: 'deprecated',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{{server}}', description: 'This server' }],
    security: [],
    tags: [{ name: 'Billing' }],
    paths: {
      [BILLING_PATH]: {
        post: {
          operationId: 'callBilling',
          summary: 'Call a SOAP operation',
          tags: ['Billing'],
          deprecated: true,
          requestBody: { required: true, content: { 'text/xml': { schema: { type: 'string' }, examples } } },
          responses: {
            200: {
              description: 'SOAP envelope with the response',
              content: {
                'text/xml': { schema: { type: 'string' }, example: writeReply(namespace) },
              },
            },
            413: refusal('Request larger than 64 KiB'),
            415: refusal('Content type is not text/xml'),
            500: {
              description: `SOAP fault with \`errorCode\` and \`errorMessage\` in its detail: ${errors}`,
              content: { 'text/xml': { schema: { type: 'string' } } },
            },
          },
        },
      },
    },
  }
}

function refusal(description: string) {
  return { description, content: { 'text/plain': { schema: { type: 'string' } } } }
}

function writeReply(namespace: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ns2:createServiceTokenResponse xmlns:ns2="${escapeXml(namespace)}"><output>${'A'.repeat(96)}</output></ns2:createServiceTokenResponse></soap:Body></soap:Envelope>`
}

export function writeExampleCall(
  operation: BillingOperation,
  inputs: Readonly<Record<string, string>>,
  namespace = DEFAULT_NAMESPACE,
): string {
  const children = Object.entries(inputs).map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`)
  return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"
  xmlns:ws="${escapeXml(namespace)}"><e:Body>
  <ws:${operation}>${children.join('')}</ws:${operation}></e:Body></e:Envelope>`
}

const title = 'Subscription billing (SOAP 1.1, deprecated)'
const paragraphs = [
  'This address takes SOAP calls by POST. It is kept for archives and migration tests only: ' +
    'the interface was retired at the end of 2024, and the subscription status API replaces it.',
  'createServiceToken(secret) returns a service token of 96 characters, valid for 30 days.',
  'getSubscriptionStatus(purchaseID, serviceToken) returns the status of a subscription.',
]

const introductions = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')

export function writePage(address: string, accept = ''): { type: string; body: string } {
  const links = [`${address}?wsdl`, `${address}?xsd=1`]
  if (!accept.includes('text/html')) {
    return { type: 'text/plain; charset=utf-8', body: [title, ...paragraphs, ...links, ''].join('\n') }
  }
  const items = links.map((link) => `<li><a href="${escapeXml(link)}">${escapeXml(link)}</a></li>`).join('')
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>
${introductions}<ul>${items}</ul></html>
`
  return { type: 'text/html; charset=utf-8', body }
}

export function createDocsPage(namespace = DEFAULT_NAMESPACE) {
  return {
    title: 'Billing',
    describe: () => describeBilling(namespace),
    files: [`${BILLING_PATH}?wsdl`, `${BILLING_PATH}?xsd=1`],
    writeBody(request: FastifyRequest): string {
      const address = baseUrl(request) + BILLING_PATH
      const links = ['wsdl', 'xsd=1'].map((query) => `<a href="${escapeXml(`${address}?${query}`)}">?${query}</a>`)
      const call = writeExampleCall('createServiceToken', createServiceToken.example, namespace)
      return `<h1>${title}</h1>
${introductions}
<p>Address: <code>${escapeXml(address)}</code>; ${links.join(', ')}. A client made from the WSDL needs nothing else.</p>
<h2>Try it</h2>
${writeBlock(`curl -sw '\\n' '${address}' -H 'Content-Type: text/xml; charset=utf-8' -d '${call}'`)}
<h2>Operations</h2>
${writeTable(
  ['Operation', 'Takes', 'Gives'],
  [
    ['createServiceToken', Object.keys(createServiceToken.input.shape).join(', '), 'output: the token'],
    [
      'getSubscriptionStatus',
      Object.keys(getSubscriptionStatus.input.shape).join(', '),
      `output: ${statusFields.map(({ name }) => name).join(', ')}`,
    ],
  ],
)}
<h2>Errors</h2>
<p>SOAP faults with HTTP status 500; <code>detail</code> holds <code>WebServiceException</code>.</p>
${writeTable(
  ['errorCode', 'errorMessage'],
  documentErrors.map(({ errorCode, errorMessage }) => [String(errorCode), errorMessage]),
)}
<h2>WSDL</h2>
${writeBlock(writeWsdl(address, namespace))}`
    },
  }
}
