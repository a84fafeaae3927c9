import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { escapeHtml } from '#server/domain/html.ts'
import { prefixOf } from '../addresses.ts'

export interface Page {
  title: string
  body: string
  styles?: readonly string[]
  scripts?: readonly string[]
  links: readonly (readonly [name: string, path: string])[]
  current?: string
}

/** Relative, because a proxy may have removed a path prefix. */
export function serverRoot({ originalUrl }: FastifyRequest): string {
  const [path = ''] = originalUrl.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
  return ('../'.repeat(path.split('/').length - 2) || './').slice(0, -1)
}

export function worldRoot(request: FastifyRequest): string {
  return serverRoot(request) + prefixOf(request.ports.world.name)
}

/** Fastify would add a second route for HEAD, which would take as much time and memory as the first route. */
export function addPage(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.route({ method: ['GET', 'HEAD'], exposeHeadRoute: false, url, handler })
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(writePage(page, worldRoot(reply.request)))
}

function writePage({ title, body, styles = [], scripts = [], links, current }: Page, root: string): string {
  const styleLinks = ['page.css', ...styles].map((name) => `<link rel="stylesheet" href="${root}/docs/${name}">`)
  const navigation = links.map(
    ([name, path]) => `<a href="${root}${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>vendor-cloud: ${escapeHtml(title)}</title>
<link rel="icon" href="${root}/favicon.ico">
${styleLinks.join('\n')}
</head>
<body>
<nav aria-label="Pages"><a href="${root}/">vendor-cloud</a>
${navigation.join('\n')}</nav>
${body}
${scripts.map((name) => `<script src="${root}/docs/${name}"></script>`).join('\n')}
</body>
</html>
`
}

export function writeBlock(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
}

export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const lines = rows.map((row) => line(row, 'td'))
  return `<table><thead>${line(head, 'th')}</thead><tbody>${lines.join('\n')}</tbody></table>`
}
