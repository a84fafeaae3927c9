import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JournalEntry } from '../../schemas/control/journal.ts'
import { operationOf } from '../request-notes.ts'

/** What is kept of a request and its reply until somebody reads it. */
export interface RequestRecord {
  /** Milliseconds since the epoch, by the world's clock. */
  at: number
  durationMs: number
  status: number
  method: string
  requestId: string
  url: string
  operation: number | string | undefined
  caller: string | undefined
  /** As they were sent: names and values by turns. */
  headers: string[]
  replyHeaders: string[]
  /** The body and whatever else is not there for most requests. */
  more: RecordedMore
  /** The reply's text; empty without one. */
  reply: string
}

export interface RecordedMore {
  sent?: unknown
  why?: JournalEntry['why']
}

/**
 * A record as one text, a value a line and the reply last: what thousands of objects would cost the collector is gone.
 */
export function writeRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  durationMs: number,
  text = '',
  more?: RecordedMore,
): string {
  const { ports, method, id, url } = request
  const { rawHeaders } = request.raw
  let headers = ''
  for (let i = 0; i < rawHeaders.length; i++) headers += `${rawHeaders[i]}\n`
  const answered = reply.getHeaders()
  let replyHeaders = ''
  let count = 0
  for (const name in answered) {
    replyHeaders += `${name}\n${answered[name]}\n`
    count += 2
  }
  return (
    `${toText(ports.clock.now())}\n${Math.round(durationMs * 1000)}\n${reply.statusCode}\n${method}\n${id}\n${url}\n` +
    `${oneLine(operationOf(request))}\n${oneLine(callerOf(request))}\n${rawHeaders.length}\n${headers}` +
    `${count}\n${replyHeaders}${more ? JSON.stringify(more) : ''}\n${text}`
  )
}

export function readRecord(text: string): RequestRecord {
  let from = 0
  const take = () => {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end)
    from = end + 1
    return line
  }
  const takeAll = () => Array.from({ length: Number(take()) }, take)
  return {
    at: Number(take()),
    durationMs: Number(take()) / 1000,
    status: Number(take()),
    method: take(),
    requestId: take(),
    url: take(),
    operation: toOperation(take()),
    caller: take() || undefined,
    headers: takeAll(),
    replyHeaders: takeAll(),
    more: JSON.parse(take() || '{}') as RecordedMore,
    reply: text.slice(from),
  }
}

/** A busy server asks many times a millisecond, and large numbers are slow to write. */
function toText(instant: number): string {
  if (instant !== written.instant) written = { instant, text: String(instant) }
  return written.text
}

let written = { instant: 0, text: '0' }

function callerOf({ notes, identity }: FastifyRequest): string | undefined {
  if (notes.caller !== undefined) return notes.caller
  const userId = identity?.userId
  // Behind profile: or guid:.
  return userId?.slice(userId.indexOf(':') + 1)
}

function oneLine(value: number | string | undefined): number | string {
  if (typeof value === 'string' && value.includes('\n')) return value.replaceAll('\n', ' ')
  return value ?? ''
}

function toOperation(text: string): number | string | undefined {
  return /^\d+$/.test(text) ? Number(text) : text || undefined
}
