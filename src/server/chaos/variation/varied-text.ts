import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VariationKind } from '#contract/records/control/variation.ts'
import type { Chance } from './chance.ts'
import { jsonKinds, type Vary } from './json.ts'
import type { Known } from './json-fields.ts'
import { soapKinds } from './soap.ts'

export interface Draw {
  kinds: ReadonlySet<VariationKind>
  chance: Chance
}

export function varyText(
  text: string,
  table: Readonly<Record<string, Vary>>,
  { kinds, chance }: Draw,
  known: Known | undefined,
): { varied: string; borne: VariationKind[] } {
  const borne: VariationKind[] = []
  let varied = text
  for (const [kind, vary] of Object.entries(table) as [VariationKind, Vary][]) {
    const before = varied
    if (kinds.has(kind)) varied = vary(varied, chance, known)
    if (varied !== before) borne.push(kind)
  }
  return { varied, borne }
}

/** Pages, images, the SOAP service's description and a fault's words keep their text. */
export function tableOf(reply: FastifyReply): Readonly<Record<string, Vary>> {
  if (reply.request.notes.isGiven) return {}
  const type = String(reply.getHeader('content-type'))
  if (type.startsWith('application/json')) return jsonKinds
  return type.startsWith('text/xml') && reply.request.method === 'POST' ? soapKinds : {}
}

/** Gives nothing for a route that is no operation. */
export function knownOf(
  { routeOptions, query, notes }: FastifyRequest,
  { statusCode }: FastifyReply,
): Known | undefined {
  const schema = routeOptions.config.describe?.().response[statusCode === 201 ? 200 : statusCode]
  if (!schema) return undefined
  const said = JSON.stringify([query, notes.sent])
  const isChosen = Object.hasOwn(Object(query), 'fields')
  return { schema, isNamed: (value) => said.includes(JSON.stringify(value)), isChosen }
}
