import type { FastifyInstance } from 'fastify'
import { securePages, serveFiles } from './static-files.ts'

export interface ConsoleOptions {
  folder: string
}

/**
 * The page over the control API. Its files are the same for everybody and hold no secret, so they need no key; what
 * the page asks for does.
 */
export async function consolePage(app: FastifyInstance, { folder }: ConsoleOptions): Promise<void> {
  await securePages(app)
  await serveFiles(app, { prefix: '/_console/', names: { [folder]: ['main.js', 'main.css'] } })
  app.get('/_console', async (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'))
}
