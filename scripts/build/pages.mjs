// Renders the pages of `docs` as HTML fragments, which the server embeds in a page, and a search index.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'

/** The navigation in its order. Pages of `docs` that are in no group come last. */
const GROUPS = [
  ['Tutorial', ['first-hour']],
  [
    'How-to guides',
    [
      'test-runners',
      'cases',
      'proxy',
      'examine',
      'profiles',
      'deployment',
      'several-instances',
      'mcp',
      'troubleshooting',
    ],
  ],
  ['Reference', ['support-api', 'events-wallet-billing', 'control-api', 'command-line', 'fixtures', 'rules']],
  ['Explanation', ['concepts', 'vendor-behavior']],
]
const ASSETS = ['guide.css', 'guide.js']

/**
 * Returns files by name: a fragment for each page and for the front page of `docs`, the search index, the style sheet
 * and the script.
 */
export function renderPages(root) {
  const folder = join(root, 'docs')
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
  const pages = new Map(names.map((name) => [name, renderPage(name, readFileSync(join(folder, `${name}.md`), 'utf8'))]))
  const groups = groupPages(pages)
  return new Map([
    ['index.html', frame(writeFrontPage(groups), groups, { to: 'docs/' })],
    ...[...pages.values()].map((page) => [`${page.name}.html`, frame(page.html, groups, { current: page })]),
    ['search.json', JSON.stringify([...pages.values()].flatMap(({ sections }) => sections))],
    ...ASSETS.map((name) => [name, readFileSync(join(import.meta.dirname, 'pages', name), 'utf8')]),
  ])
}

function groupPages(pages) {
  const named = GROUPS.map(([title, names]) => [title, names.flatMap((name) => pages.get(name) ?? [])])
  const others = [...pages.values()].filter(({ name }) => !GROUPS.some(([, names]) => names.includes(name)))
  return [...named, ['Project', others]].filter(([, members]) => members.length > 0)
}

function renderPage(name, text) {
  const markdown = new MarkdownIt({ html: true })
  const tokens = markdown.parse(text, {})
  addAnchors(tokens)
  for (const token of tokens) for (const each of token.children ?? []) pointToServedPage(each)
  Object.assign(markdown.renderer.rules, {
    fence: (fences, at) => writeBlock(fences[at], markdown.utils.escapeHtml),
    html_block: (blocks, at) => writeNote(blocks[at].content, markdown.utils.escapeHtml),
    table_open: () => '<div class="table" tabindex="0"><table>\n',
    table_close: () => '</table></div>\n',
  })
  const html = markdown.renderer.render(tokens, markdown.options, {})
  const sections = readSections(name, tokens)
  return { name, html, title: sections[0].page, summary: readSummary(markdown, tokens), sections }
}

/** Headings get the same anchors as on GitHub. */
function addAnchors(tokens) {
  const counts = new Map()
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const slug = textOf(tokens[at + 1])
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
  }
}

/** The server serves `cases.md#record` as `cases#record`, as HTML for browsers. */
function pointToServedPage(token) {
  const href = token.attrGet('href')
  if (token.type === 'link_open') token.attrSet('href', href.replace(/^([\w-]+)\.md(?=#|$)/, '$1'))
}

function writeBlock({ info, content }, escapeHtml) {
  const block = `<pre tabindex="0"><code>${escapeHtml(content)}</code></pre>\n`
  if (info !== 'mermaid') return block
  return `<figure>${block}<figcaption>Diagram in Mermaid syntax. GitHub draws it.</figcaption></figure>\n`
}

/** Readers see only comments that contain the file name of a code block. */
function writeNote(comment, escapeHtml) {
  const [, file] = /^<!-- file: (.*?) -->/.exec(comment) ?? []
  return file === undefined ? '' : `<p class="file">${escapeHtml(file)}</p>\n`
}

function readSections(name, tokens) {
  const sections = []
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[at + 1])
      const address = token.tag === 'h1' ? name : `${name}#${token.attrGet('id')}`
      sections.push({
        page: sections[0]?.page ?? heading,
        heading,
        level: Number(token.tag.slice(1)),
        address,
        text: '',
      })
    } else if (token.type === 'inline' || token.type === 'fence') {
      const section = sections.at(-1)
      if (section && tokens[at - 1].type !== 'heading_open') section.text += ` ${textOf(token)}`
    }
  }
  if (sections.length === 0) throw new Error(`docs/${name}.md has no heading`)
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }))
}

function textOf({ children, content }) {
  if (!children) return content
  return children.map((each) => (each.type === 'softbreak' ? ' ' : each.content)).join('')
}

function readSummary(markdown, tokens) {
  const first = tokens.findIndex(({ type }) => type === 'paragraph_open')
  const [sentence] = /^.*?\.(?=\s|$)/s.exec(textOf(tokens[first + 1])) ?? ['']
  return markdown.utils.escapeHtml(sentence)
}

function writeFrontPage(groups) {
  const lists = groups.map(([title, pages]) => {
    const items = pages.map((page) => `<li><a href="docs/${page.name}">${page.title}</a><br>${page.summary}</li>`)
    return `<h2>${title}</h2>\n<ul class="pages">\n${items.join('\n')}\n</ul>`
  })
  return `<h1>Documentation</h1>
<p>Each page is also served as Markdown: add <code>.md</code> to its address.</p>
${lists.join('\n')}`
}

function frame(html, groups, { current, to = '' }) {
  const lists = groups.map(([title, pages]) => {
    const items = pages.map((page) => writeItem(page, page === current, to))
    return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  return `<details class="side" open>
<summary>Pages and search</summary>
<search><label for="search">Search</label><input id="search" type="search" autocomplete="off"><ol id="hits"></ol></search>
<nav aria-label="Documentation">
${lists.join('\n')}
</nav>
</details>
<main class="guide">
${html}</main>
`
}

/** The current page lists its sections of level 2. */
function writeItem({ name, title, sections }, isCurrent, to) {
  if (!isCurrent) return `<li><a href="${to}${name}">${title}</a></li>`
  const inner = sections.filter(({ level }) => level === 2)
  const items = inner.map(({ heading, address }) => `<li><a href="${address}">${heading}</a></li>`)
  const list = items.length > 0 ? `\n<ul>${items.join('\n')}</ul>` : ''
  return `<li><a href="${name}" aria-current="page">${title}</a>${list}</li>`
}
