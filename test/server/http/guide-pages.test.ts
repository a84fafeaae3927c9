import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderPages } from '../../../scripts/build/pages.mjs'
import { rules } from '../../../src/contract/rules.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { pages, readPage, ROOT } from '../../helpers/pages.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const rendered = renderPages(ROOT)
const names = pages.filter((page) => page.startsWith('docs/')).map((page) => page.slice('docs/'.length, -'.md'.length))

function writeGuides(): string {
  const folder = makeTemporaryFolder()
  for (const [name, text] of rendered) writeFileSync(join(folder, name), text)
  return folder
}

test('a guide page is HTML for browsers and Markdown for programs', async () => {
  const { app } = buildTestApp({ guides: writeGuides() })
  for (const name of names) {
    const page = await app.inject({ url: `/docs/${name}`, headers: browser })
    expect([name, page.statusCode, page.headers['content-type']]).toEqual([name, 200, 'text/html; charset=utf-8'])
    expect(page.headers.vary).toBe('accept')
    const [, title] = /^# (.*)$/m.exec(readPage(`docs/${name}.md`))!
    expect(page.payload).toContain(`<title>vendor-cloud: ${title}</title>`)
    for (const url of [`/docs/${name}`, `/docs/${name}.md`])
      expect((await app.inject(url)).payload, url).toBe(readPage(`docs/${name}.md`))
  }
})

test.each(['', '/w/demo'])(
  'every link on every HTML guide page works and points to the same world (%j)',
  async (root) => {
    const { app } = buildTestApp({ guides: writeGuides() })
    await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'demo' } })
    const followed = new Set<string>()
    for (const path of ['/docs', ...names.map((name) => `/docs/${name}`)]) {
      const { payload } = await app.inject({ url: root + path, headers: browser })
      for (const [, link] of payload.matchAll(/(?:src|href)="([^"]+)"/g)) {
        const { host, pathname } = new URL(link!, `http://served${root}${path}`)
        if (host !== 'served' || followed.has(pathname)) continue
        followed.add(pathname)
        expect(pathname, `${path} links to it`).toMatch(new RegExp(`^${root}/`))
        const found = await app.inject({ url: pathname, headers: browser })
        expect([pathname, found.statusCode < 400]).toEqual([pathname, true])
      }
    }
    expect(followed.size).toBeGreaterThan(names.length)
  },
)

test('every anchor in a link of a guide page exists', () => {
  const anchorsOf = (name: string) =>
    [...(rendered.get(`${name}.html`) ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  for (const name of names) {
    for (const [, page, anchor] of rendered.get(`${name}.html`)!.matchAll(/href="([\w-]*)#([^"]+)"/g))
      expect(anchorsOf(page || name), `${name} links to ${page}#${anchor}`).toContain(anchor)
  }
})

test('the rules page has an anchor for the ID of each rule', () => {
  const page = rendered.get('rules.html')!
  for (const id of Object.keys(rules)) {
    const anchor = id
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-')
    expect(page).toContain(`<h3 id="${anchor}">${id}</h3>`)
  }
})

test('guide pages contain no inline scripts or styles and load only same-origin content', async () => {
  const { app } = buildTestApp({ guides: writeGuides() })
  const { headers, payload } = await app.inject({ url: '/docs/rules', headers: browser })
  expect(headers['content-security-policy']).toContain("default-src 'none';script-src 'self';style-src 'self';")
  expect(payload).not.toMatch(/<script>|<style| style=| on\w+=/)
})

test('the search index contains each page with its headings and text', () => {
  const sections = JSON.parse(rendered.get('search.json')!) as {
    page: string
    heading: string
    address: string
    text: string
  }[]
  expect(new Set(sections.map(({ address }) => address.split('#')[0]))).toEqual(new Set(names))
  const zip = sections.find(({ address }) => address === 'rules#zip-plus-four')
  expect(zip).toMatchObject({ page: 'Rules', heading: 'zip-plus-four', text: expect.stringContaining('400') })
})

test('the navigation has four groups and links to every page', () => {
  const [, navigation = ''] = /<nav aria-label="Documentation">(.*?)<\/nav>/s.exec(rendered.get('index.html')!)!
  const groups = [...navigation.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, group]) => group)
  expect(groups.slice(0, 4)).toEqual(['Tutorial', 'How-to guides', 'Reference', 'Explanation'])
  for (const name of names) expect(navigation).toContain(`<a href="docs/${name}">`)
})
