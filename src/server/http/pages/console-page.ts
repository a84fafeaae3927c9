import type { FastifyInstance, FastifyRequest } from 'fastify'
import { escapeHtml } from '#server/domain/html.ts'
import { prefixOf, worldNameOf } from '../addresses.ts'
import { wantsPage } from './front-page.ts'
import { sendPage, serverRoot } from './page.ts'
import { securePages, serveFiles } from './static-files.ts'

export interface ConsoleOptions {
  folder: string
}

/** Returns the names of worlds, but only those that the control API would also show to the sender. */
export type NameWorlds = (request: FastifyRequest) => readonly string[]

/** The files contain no secrets, so they need no key. The requests of the page may need one. */
export async function consolePage(
  app: FastifyInstance,
  { folder, nameWorlds }: ConsoleOptions & { nameWorlds: NameWorlds },
): Promise<void> {
  await securePages(app)
  await serveFiles(app, { prefix: '/_console/', names: { [folder]: ['main.js', 'main.css', 'barcodes.js'] } })
  app.get('/_console', async (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'))
  app.setErrorHandler((error, request, reply) => {
    const name = worldNameOf(request.raw)
    // If the world is unknown, the request has the ports of the default world.
    if (request.ports.world.name === name || !wantsPage(request)) throw error
    reply.code(404).header('vary', 'accept')
    return sendPage(reply, { title: 'no such world', body: writeWorlds(request, nameWorlds(request)), links: [] })
  })
}

function writeWorlds(request: FastifyRequest, names: readonly string[]): string {
  const missing = worldNameOf(request.raw)
  const root = serverRoot(request)
  const items = names.map((name) => `<li><a href="${root}${prefixOf(name)}/_console">${escapeHtml(name)}</a></li>`)
  return `<main>
<h1>World ${escapeHtml(missing.slice(0, 64))} does not exist</h1>
<p>It was deleted, it expired, or the server was restarted.</p>
${items.length > 0 ? `<h2>Worlds</h2>\n<ul>${items.join('\n')}</ul>` : ''}
</main>`
}
