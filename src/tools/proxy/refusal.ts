import type { ServerResponse } from 'node:http'

/** Errors have the form of the control API. */
export function refuse(reply: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) {
  const text = toRefusalText(status, message)
  reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}

export function toRefusalText(status: number, message: string): string {
  const code = status === 403 ? 'ForbiddenError' : status === 404 ? 'NotFoundError' : 'ProxyError'
  return JSON.stringify({ error: { code, message, details: [] } })
}
