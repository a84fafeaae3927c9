import type { Dispatcher } from 'undici'
import type { CaseCall, CaseReply } from '../schemas/control/case.ts'

/** A call with these headers; `fill` puts what placeholders stand for into its texts. */
export function toRequest(
  { method, path, body }: CaseCall,
  headers: CaseCall['headers'],
  fill: (text: string) => string,
): Dispatcher.RequestOptions {
  const filled = Object.entries(headers).map(([name, value]) => {
    return [name, typeof value === 'string' ? fill(value) : value.map(fill)]
  })
  const bytes = typeof body === 'object' ? Buffer.from(body.base64, 'base64') : body && fill(body)
  const verb = method as Dispatcher.HttpMethod
  return { method: verb, path: fill(path), headers: Object.fromEntries(filled), body: bytes ?? null }
}

/** A call whose connection breaks before an answer has no status; one that breaks in the body is cut. */
export async function ask(client: Dispatcher, options: Dispatcher.RequestOptions): Promise<CaseReply> {
  let answer: Dispatcher.ResponseData
  try {
    answer = await client.request(options)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'UND_ERR_HEADERS_TIMEOUT') return {}
    throw error
  }
  const reply = { status: answer.statusCode, headers: toHeaders(answer.headers) }
  // A stream where none was would never end.
  if (String(reply.headers['content-type']).startsWith('text/event-stream')) {
    answer.body.on('error', () => {}).destroy()
    return { ...reply, body: '' }
  }
  try {
    return { ...reply, body: await answer.body.text() }
  } catch {
    return { ...reply, cut: true }
  }
}

export function toHeaders(headers: Dispatcher.ResponseData['headers']): NonNullable<CaseReply['headers']> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
