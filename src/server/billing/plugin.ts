import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { BILLING_PATH, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { baseUrl } from '../http/addresses.ts'
import { acceptOf } from '../http/input/headers.ts'
import { refuseOtherMethods } from '../http/unknown-paths.ts'
import { type SoapCall, createAnswer, toCall } from './operations.ts'
import { readCall } from './envelope.ts'
import { createFaultHandler, deprecation, XML_TYPE } from './errors.ts'
import { MAX_BYTES, readMessage } from './message-body.ts'
import { writePage } from './description.ts'
import { writeSchema, writeWsdl } from './wsdl.ts'
import { notProperSoap } from './soap-fault.ts'
import { type XmlElement, parseXml } from './xml.ts'

export interface BillingOptions {
  namespace?: string
}

export const billing: FastifyPluginAsync<BillingOptions> = async (app, { namespace = DEFAULT_NAMESPACE }) => {
  const answer = createAnswer(namespace)
  const answerFault = createFaultHandler(namespace)
  // The deprecation headers are also required in errors that occur before the `onRequest` hook.
  app.setErrorHandler((error, request, reply) => answerFault(error, request, reply.headers(deprecation)))
  acceptMessages(app, namespace)
  app.addHook('onRequest', ({ raw }, reply, done) => {
    reply.headers(deprecation)
    // Fastify would reject an empty content type. Here it counts as absent.
    if (raw.headers['content-type'] === '') delete raw.headers['content-type']
    done()
  })

  const options = { bodyLimit: MAX_BYTES, config: { bodySource: 'our choice: soap-http-errors' } } as const
  app.post<{ Body: SoapCall | undefined }>(BILLING_PATH, options, async (request, reply) => {
    const { ports, body } = request
    if (!body) throw notProperSoap('the request has no body')
    reply.header('content-type', XML_TYPE)
    return answer(ports, body)
  })
  app.get(BILLING_PATH, (request, reply) => describeService(request, reply, namespace))
  refuseOtherMethods(app, BILLING_PATH, ['GET', 'HEAD', 'POST'], 'this address accepts SOAP calls by POST')
}

/** Parses every body as a SOAP call, even if the content type is different. `readMessage` validates the headers. */
function acceptMessages(app: FastifyInstance, namespace: string): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    try {
      const text = readMessage(request, bytes)
      const context = request.context
      context.sent = text
      context.readMessage = readMessageForJournal
      const call = toCall(readCall(parseXml(text)), namespace)
      context.operation = call.operation
      done(null, call)
    } catch (refusal) {
      done(refusal as Error)
    }
  })
}

/** The query parameters `wsdl` and `xsd` are not case-sensitive. */
function describeService(request: FastifyRequest, reply: FastifyReply, namespace: string): FastifyReply {
  const address = baseUrl(request) + BILLING_PATH
  const asked = Object.keys(request.query as object).map((key) => key.toLowerCase())
  if (asked.includes('wsdl')) return reply.type(XML_TYPE).send(writeWsdl(address, namespace))
  if (asked.includes('xsd')) return reply.type(XML_TYPE).send(writeSchema(namespace))
  const { type, body } = writePage(address, acceptOf(request))
  return reply.type(type).header('vary', 'accept').send(body)
}

/** Returns the inputs by their local names, or undefined if the message cannot be parsed. */
function readMessageForJournal(text: string): Record<string, unknown> | undefined {
  try {
    const call = parseXml(text).elements.find(({ name }) => name === 'Body')?.elements[0]
    if (!call) return undefined
    const inputs = toObject(call)
    return typeof inputs === 'string' ? { [call.name]: inputs } : { ...inputs, [call.name]: inputs }
  } catch {
    return undefined
  }
}

function toObject({ elements, text }: XmlElement): string | Record<string, unknown> {
  if (elements.length === 0) return text
  return Object.fromEntries(elements.map((child) => [child.name, toObject(child)]))
}
