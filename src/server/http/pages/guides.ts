import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { wantsPage } from './front-page.ts'
import { addPage, type Page, sendPage, worldRoot } from './page.ts'
import { securePages } from './static-files.ts'

interface GuideOptions {
  markdownFolder: string
  htmlFolder: string | undefined
  links: Page['links']
}

/** Files that the pages load. */
export const guideFiles = ['guide.css', 'guide.js', 'search.json']

/** The pages of `docs` at `/docs/{name}`: HTML for browsers, Markdown for programs. */
export async function guides(app: FastifyInstance, { markdownFolder, htmlFolder, links }: GuideOptions): Promise<void> {
  await securePages(app)
  const send = (reply: Parameters<typeof sendPage>[0], body: string) => {
    const [, title = ''] = /<h1[^>]*>([^<]*)/.exec(body) ?? []
    const loads = { styles: ['guide.css'], scripts: ['copy.js', 'guide.js'] }
    return sendPage(reply, { title, body, links, current: '/docs', ...loads })
  }
  const names = readdirSync(markdownFolder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))

  addPage(app, '/docs', async (request, reply) => {
    if (htmlFolder !== undefined) return send(reply, await readFile(join(htmlFolder, 'index.html'), 'utf8'))
    const items = names.map((name) => `<li><a href="${worldRoot(request)}/docs/${name}.md">${name}</a></li>`)
    return sendPage(reply, {
      title: 'Documentation',
      body: `<main>\n<h1>Documentation</h1>\n<ul>${items.join('\n')}</ul>\n</main>`,
      links,
      current: '/docs',
    })
  })
  for (const name of names) {
    addPage(app, `/docs/${name}`, async (request, reply) => {
      reply.header('vary', 'accept')
      if (htmlFolder !== undefined && wantsPage(request))
        return send(reply, await readFile(join(htmlFolder, `${name}.html`), 'utf8'))
      return reply.type('text/markdown; charset=utf-8').send(await readFile(join(markdownFolder, `${name}.md`)))
    })
  }
}
