import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { gather, portsWhileHeard } from '../http/connection/client-left.ts'
import type { Turns } from '../ports/turns.ts'

interface Page {
  items: readonly unknown[]
  totalCount: number
}

type Asked = Pick<FastifyRequest, 'ports' | 'raw'>

/** A hundred records of a megabyte each are written one by one, and a page of usual length as one text. */
export async function sendPage(request: Asked, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  const pieces = gather(writePage(page, portsWhileHeard(request).turns))
  const [first, second] = [await pieces.next(), await pieces.next()]
  const body = second.done ? first.value : Readable.from(joined([first.value, second.value], pieces))
  return reply.type('application/json; charset=utf-8').send(body)
}

async function* writePage({ items, totalCount }: Page, turns: Turns): AsyncGenerator<string> {
  let before = '{"items":['
  for (const item of items) {
    yield before + JSON.stringify(item)
    before = ','
    const turn = turns.give()
    if (turn) await turn
  }
  yield `${items.length > 0 ? '' : before}],"totalCount":${totalCount}}`
}

async function* joined(begun: Iterable<string>, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* begun
  yield* pieces
}
