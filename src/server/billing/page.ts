import type { FastifyRequest } from 'fastify'
import { baseUrl } from '../http/addresses.ts'
import { writeBlock, writeTable } from '../http/pages/page.ts'
import { BILLING_PATH, billingOperations, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { documentErrors } from './errors.ts'
import { describeBilling } from './description.ts'
import { writeExampleCall } from './example-calls.ts'
import { statusFields } from './schema.ts'
import { writeWsdl } from './wsdl.ts'
import { escapeXml } from './envelope.ts'

const { createServiceToken, getSubscriptionStatus } = billingOperations

const title = 'Subscription billing (SOAP 1.1, deprecated)'
const paragraphs = [
  'This address takes SOAP calls by POST. It is kept for archives and migration tests only: ' +
    'the interface was retired at the end of 2024, and the subscription status API replaces it.',
  'createServiceToken(secret) gives a service token of 96 characters, valid for 30 days.',
  'getSubscriptionStatus(purchaseID, serviceToken) gives the status of a subscription.',
]

export function writePage(address: string, accept = ''): { type: string; body: string } {
  const links = [`${address}?wsdl`, `${address}?xsd=1`]
  if (!accept.includes('text/html')) {
    return { type: 'text/plain; charset=utf-8', body: [title, ...paragraphs, ...links, ''].join('\n') }
  }
  const items = links.map((link) => `<li><a href="${escapeXml(link)}">${escapeXml(link)}</a></li>`).join('')
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}<ul>${items}</ul></html>
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
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
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
