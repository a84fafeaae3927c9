import { BILLING_PATH, DEFAULT_NAMESPACE, billingOperations } from '#contract/documents/billing/operations.ts'
import { escapeXml } from './envelope.ts'
import { documentErrors } from './errors.ts'
import { writeExampleCall } from './example-calls.ts'

const introduction =
  'SOAP 1.1 by one address, for tools that know no WSDL: each call is a POST of text. The WSDL at `?wsdl` is the ' +
  'description that SOAP clients are made from. The interface was retired at the end of 2024.'

const { createServiceToken, getSubscriptionStatus } = billingOperations

/** OpenAPI cannot tell SOAP calls apart, so one POST has each call as an example. */
export function describeBilling(namespace = DEFAULT_NAMESPACE) {
  const examples = {
    createServiceToken: {
      summary: 'A service token for a seller, valid for 30 days',
      value: writeExampleCall('createServiceToken', createServiceToken.example, namespace),
    },
    getSubscriptionStatus: {
      summary: 'The status of a subscription; its serviceToken is one of createServiceToken',
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
          summary: 'Make a SOAP call: createServiceToken or getSubscriptionStatus',
          tags: ['Billing'],
          deprecated: true,
          requestBody: { required: true, content: { 'text/xml': { schema: { type: 'string' }, examples } } },
          responses: {
            200: {
              description: 'The reply, in a SOAP envelope',
              content: {
                'text/xml': { schema: { type: 'string' }, example: writeReply(namespace) },
              },
            },
            413: refusal('More than 64 KiB'),
            415: refusal('Another type than text/xml'),
            500: {
              description: `A SOAP fault; \`errorCode\` and \`errorMessage\` in its detail: ${errors}`,
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
