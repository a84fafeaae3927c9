import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { gather, signalWhileHeard } from './connection/client-left.ts'
import { yielding } from '../ports/yielding.ts'

interface Page {
  items: readonly unknown[]
  totalCount: number
}

/** In chunks, because a page may contain a hundred records of a megabyte each. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  const pieces = gather(writePage(page, signalWhileHeard(request, reply)))
  const [first, second] = [await pieces.next(), await pieces.next()]
  const body = second.done ? first.value : Readable.from(joined([first.value, second.value], pieces))
  return reply.type('application/json; charset=utf-8').send(body)
}

async function* writePage({ items, totalCount }: Page, signal: AbortSignal): AsyncGenerator<string> {
  let before = '{"items":['
  for await (const item of yielding(items, signal)) {
    yield before + JSON.stringify(item)
    before = ','
  }
  yield `${items.length > 0 ? '' : before}],"totalCount":${totalCount}}`
}

async function* joined(begun: Iterable<string>, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* begun
  yield* pieces
}
