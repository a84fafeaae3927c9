import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { pages, readPage } from '../../helpers/pages.ts'

test('the README and the pages in docs/ are served without journal entries', async () => {
  const { app } = buildTestApp()
  for (const page of [...pages, 'SECURITY.md', 'openapi/README.md']) {
    const reply = await app.inject(`/${page}`)
    expect([page, reply.statusCode, reply.headers['content-type']]).toEqual([page, 200, 'text/markdown; charset=utf-8'])
    expect(reply.payload).toBe(readPage(page))
  }
  expect((await app.inject('/_control/journal')).json().totalCount).toBe(0)
})

test.each(['/openapi/wallet.json', '/openapi/wallet.yaml', '/llms.txt', '/docs', '/docs/stream', '/docs/copy.js'])(
  'HEAD %s returns the headers of GET and no body',
  async (url) => {
    const { app } = buildTestApp()
    const headersOf = (reply: { headers: object }) => ({ ...reply.headers, date: '', 'x-request-id': '' })
    const [get, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })]
    expect([head.statusCode, head.payload, headersOf(head)]).toEqual([200, '', headersOf(get)])
  },
)

test.each(['', '/w/demo'])('each link in %j/llms.txt works and points to the same world', async (root) => {
  const { app } = buildTestApp()
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'demo' } })
  const { payload, headers } = await app.inject(`${root}/llms.txt`)
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const links = [...payload.matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link]) => new URL(link!, `http://served${root}/llms.txt`).pathname,
  )
  expect(links.length).toBeGreaterThan(10)
  for (const link of links) expect([link, (await app.inject(link)).statusCode]).toEqual([link, 200])
  for (const link of links) expect(link).toMatch(new RegExp(`^${root}/`))
})

test('each link on a Markdown page works', async () => {
  const { app } = buildTestApp()
  const seen = new Set(['/README.md', ...pages.map((page) => `/${page}`)])
  for (const path of seen) {
    let reply = await app.inject(path)
    if (reply.statusCode === 308) reply = await app.inject(String(reply.headers.location))
    expect([path, reply.statusCode]).toEqual([path, 200])
    if (!path.endsWith('.md')) continue
    const text = reply.payload.replace(/```.*?```/gs, '')
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const { host, pathname } = new URL(link!, `http://served${path}`)
      if (host === 'served') seen.add(pathname)
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(['/openapi/workflows.arazzo.yaml', '/compose.yaml', '/docs/images/requests.webp']),
  )
  expect((await app.inject('/openapi/wallet.yaml')).headers['content-type']).toBe('application/yaml; charset=utf-8')
  expect((await app.inject('/_control/journal')).json().totalCount).toBe(0)
})

test('errors for an unknown path or wrong method suggest a path, page or method', async () => {
  const { app } = buildTestApp()
  const messageOf = async (url: string) => (await app.inject(url)).json().error.message
  expect(await messageOf('/nothing')).toContain('GET / lists the APIs; /llms.txt lists the pages')
  expect(await messageOf('/stg/us/guest/zipCod')).toContain('the nearest path is /stg/us/guest/zipCode')
  expect(await messageOf('//stg/us/guest/zipCode')).toContain('two slashes in a row; the path without them is /stg')
  expect(await messageOf('/_control/statu')).toContain('the nearest path is /_control/status')
  expect(await messageOf('/iap/ws/rtcservice?wsdl')).toContain('the nearest path is /iap/ws/RTCService')
  expect(await messageOf('/opnapi/wallet.json')).toContain('the nearest path is /openapi/wallet.json')
  for (const unlike of ['/_control/nope', '/openapi/nope.json', '/stg/us/nope'])
    expect(await messageOf(unlike)).toContain('this path is unknown; GET / lists the APIs; ')
  expect(await messageOf('/_control')).toMatch(/below it are \d+ paths, such as \/_control\/status; /)
  expect(await messageOf('/stg/us/')).toMatch(/below it are \d+ paths, such as \/stg\/us\//)
  expect(await messageOf('/docs/contol-api.md')).toContain(
    '/docs/contol-api.md does not exist; the nearest is /docs/control-api.md',
  )
  expect(await messageOf('/docs/a-long-way-off.md')).toContain('/llms.txt lists the pages')
  expect(await messageOf('/_control/reset')).toContain('this path supports POST, not GET')
  expect(await messageOf('/_control/tokens')).toMatch(/; GET \/_control\/records\/accessTokens lists the tokens$/)
  expect(await messageOf('/w/nope/_control/clock')).toContain('world nope does not exist')
  expect((await app.inject('/')).json().pages).toMatch(/\/llms\.txt$/)
})
