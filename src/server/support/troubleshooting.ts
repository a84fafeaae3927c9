import { guideTypes } from '#contract/documents/support/troubleshooting.ts'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { readTroubleshootingGuide, type TroubleshootingQuery } from '../domain/guest/troubleshooting.ts'
import { escapeHtml } from '../domain/html.ts'
import type { Identity } from '../domain/identity.ts'
import type { RequestContext } from '../http/operations.ts'
import type { TroubleshootingGuide } from '#contract/records/guest/symptom.ts'

/** Operations 21 and 29: the response is a string. A JSON one, unless the client prefers to show it as it is. */
export async function answerGuide(
  request: RequestContext<Identity, unknown, TroubleshootingQuery>,
  reply: FastifyReply,
): Promise<string> {
  const guide = await readTroubleshootingGuide(request.ports, request.caller, request.query)
  const preferred = new Negotiator(request).mediaType(guideTypes)
  const type = guideTypes.find((each) => each === preferred) ?? guideTypes[0]
  reply.header('vary', 'accept').type(`${type}; charset=utf-8`)
  if (type === 'text/html') return toHtml(guide)
  // Fastify sends a string as it is, so the quotes of a JSON one are written here.
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
