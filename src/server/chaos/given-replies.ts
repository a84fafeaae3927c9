import type { FastifyReply } from 'fastify'
import { type findGivenReply, hasNoBody } from '#contract/records/control/fault-response.ts'

type Given = NonNullable<ReturnType<typeof findGivenReply>>

/** A stream has no body of its own, so its reply is sent here. */
export function sendWith(
  reply: FastifyReply,
  { status, headers }: Given,
  payload: unknown,
): { payload: unknown } | undefined {
  reply.code(status).headers(headers ?? {})
  if (!hasNoBody(status)) return { payload }
  reply.removeHeader('content-type').removeHeader('content-length')
  if (payload !== undefined) return { payload: null }
  reply.send()
  return undefined
}

export function prepareGiven(reply: FastifyReply, { status, headers, retryAfter, body }: Given): string {
  const isText = typeof body === 'string'
  reply.request.notes.isGiven = true
  reply.code(status).removeHeader('content-length')
  reply.type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  reply.headers(headers ?? {})
  return isText ? body : JSON.stringify(body)
}

export function sendGiven(reply: FastifyReply, text: string, payload: unknown): { payload: unknown } | undefined {
  if (payload !== undefined) return { payload: text }
  reply.serializer((given: string) => given).send(text)
  return undefined
}
