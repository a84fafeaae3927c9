import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/errors.ts'

export interface ConsoleOptions {
  /** Where the build puts the page's files. */
  folder: string
}

const types: Readonly<Record<string, string>> = {
  'main.js': 'text/javascript; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * The page over the control API. Its files are the same for everybody and hold no secret, so they need no key; what
 * the page asks for does.
 */
export async function consolePage(app: FastifyInstance, { folder }: ConsoleOptions): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))

  app.get('/_console', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(await readFile(join(folder, 'index.html'))),
  )
  app.get('/_console/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const type = types[file]
    if (!type) throw new DomainError('not-found', `no file ${file} belongs to this page`, { source: 'our choice' })
    return reply.type(type).send(await readFile(join(folder, file)))
  })
}
