import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import type { ChoiceValues } from '#contract/records/control/choice-values.ts'

type Shape = ChoiceValues['error-shape']

interface Envelope {
  error: { message: string; details: readonly { code: string; message: string; target: string }[] }
}

/** Our choice, `error-shape`. An address that cannot be decoded has no world, and our own pages keep their shape. */
export function shapeFor({ ports, url }: FastifyRequest): Shape {
  return ports && isVendorTraffic(url) ? ports.world.choices['error-shape'] : 'envelope'
}

/** Absent where there is no body. */
export function shapeError(
  shape: Exclude<Shape, 'envelope'>,
  { error: { message, details } }: Envelope,
  status: number,
  { ports, url }: FastifyRequest,
): { type?: string; value?: unknown } {
  if (shape === 'empty') return {}
  const title = STATUS_CODES[status] ?? 'Failure'
  if (shape === 'problem') {
    const errors = details.map(({ code, message, target }) => ({ code, message, target }))
    const value = { type: 'about:blank', title, status, detail: message, ...(errors.length > 0 && { errors }) }
    return { type: 'application/problem+json', value }
  }
  const [path] = url.split('?', 1)
  const value = {
    timestamp: new Date(ports.clock.now()).toISOString(),
    status,
    error: title,
    message: details.length > 0 ? details.map((each) => each.message).join('; ') : message,
    path,
  }
  return { type: 'application/json; charset=utf-8', value }
}
