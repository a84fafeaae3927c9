import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { readTroubleshootingGuide, type TroubleshootingQuery } from '../domain/guest/troubleshooting.ts'
import { escapeHtml } from '../domain/html.ts'
import type { Identity } from '../domain/identity.ts'
import type { OperationRequest } from '../http/operations.ts'
import { filter } from '../../contract/records/parameters.ts'
import { modelCode } from '../../contract/records/formats.ts'
import type { TroubleshootingGuide } from '../../contract/records/guest/symptom.ts'
import { dealerOperation, guestOperations } from './operation.ts'

const declare = guestOperations('Symptom / TroubleShooting')

const TYPES = ['application/json', 'text/plain', 'text/html'] as const
const code = (number: number) => filter.optional().meta({ description: `Code of the symptom on level ${number}` })

/** Document 1, section 4, troubleshooting: of operations 21 and 29. */
const troubleshootingLookup = {
  query: z.object({
    modelCode,
    srid: z.string().optional().meta({ description: 'The service request that the guide is read for' }),
    symCode1: code(1),
    symCode2: code(2),
    symCode3: code(3),
    symCode4: code(4),
  }),
  produces: TYPES,
  reply: z.string(),
  further: [404],
} as const

export const troubleshooting = [
  declare({
    ...troubleshootingLookup,
    operation: 29,
    route: 'GET /stg/us/guest/troubleshooting',
    summary: 'Read a troubleshooting guide',
    run: answerGuide,
  }),
]

export const dealerTroubleshooting = [
  dealerOperation({
    ...troubleshootingLookup,
    operation: 21,
    route: 'GET /stg/us/dealer/troubleshooting',
    summary: 'Read a troubleshooting guide, as a dealer',
    run: answerGuide,
  }),
]

/** Document 1: the response is a string. A JSON one, unless the client prefers to show it as it is. */
async function answerGuide(
  request: OperationRequest<Identity, unknown, TroubleshootingQuery>,
  reply: FastifyReply,
): Promise<string> {
  const guide = await readTroubleshootingGuide(request.ports, request.caller, request.query)
  const preferred = new Negotiator(request).mediaType(TYPES)
  const type = TYPES.find((each) => each === preferred) ?? TYPES[0]
  reply.header('vary', 'accept').type(`${type}; charset=utf-8`)
  if (type === 'text/html') return toHtml(guide)
  // Fastify sends a string as it is, whatever its type: the quotes of a JSON one are ours to write.
  return type === 'application/json' ? JSON.stringify(toText(guide)) : toText(guide)
}

function toText({ title, steps, parts = [] }: TroubleshootingGuide): string {
  const lines = [title, ...steps.map((step, i) => `${i + 1}. ${step}`)]
  if (parts.length > 0) lines.push('Parts:', ...parts.map(({ symCode4, name }) => `${symCode4} ${name}`))
  return lines.join('\n')
}

function toHtml({ title, steps, parts = [] }: TroubleshootingGuide): string {
  const items = steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('\n')
  const names = parts.map(({ symCode4, name }) => `<dt>${escapeHtml(symCode4)}</dt><dd>${escapeHtml(name)}</dd>`)
  const list = names.length > 0 ? `\n<h2>Parts</h2>\n<dl>\n${names.join('\n')}\n</dl>` : ''
  return `<article>\n<h1>${escapeHtml(title)}</h1>\n<ol>\n${items}\n</ol>${list}\n</article>`
}
