import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { buildInStoreApp } from '../../helpers/documents/in-store.ts'

const address = (srid: string, key: string) => `/cancel?srid=${srid}&key=${key}`

async function openPage(url = address('1234567890', 'a-key')) {
  const { app } = buildTestApp()
  return app.inject(url)
}

test('opening the page of a cancellation link does not cancel the request', async () => {
  const { app, createdSrid, store } = await buildInStoreApp()
  const srid = await createdSrid()
  const [mail] = await store.outbox.find({ where: { srid } })
  for (const method of ['GET', 'HEAD'] as const) {
    const reply = await app.inject({ method, url: mail!.links[0]!.href })
    expect(reply.statusCode).toBe(200)
  }
  expect((await store.inStoreRequests.get(srid))?.status).toBe('E0001')
})

test('the cancellation page requires no header and is the same for every srid and key', async () => {
  const { app, createdSrid } = await buildInStoreApp()
  const bodies = [address(await createdSrid(), 'x'), address('1234567890', 'y'), address('"><b>', 'z'), '/cancel']
  const replies = await Promise.all(bodies.map((url) => app.inject({ url })))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
})

test('the cancellation page allows only its own script, style and server', async () => {
  const { body, headers } = await openPage()
  const policy = String(headers['content-security-policy'])
  for (const element of ['script', 'style']) {
    const contents = [...body.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
      ([, content]) => content!,
    )
    expect(contents).toHaveLength(1)
    expect(policy).toContain(`${element}-src 'sha256-${createHash('sha256').update(contents[0]!).digest('base64')}'`)
  }
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(body).not.toMatch(/https?:|\son\w+=|\ssrc=|\shref=/)
})

test('the cancellation page is never cached, and its address is never sent as a referrer', async () => {
  expect((await openPage()).headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
})

test('the button on the cancellation page calls operation 35 in the world of the page', async () => {
  const { body } = await openPage()
  const [, path] = / data-path="([^"]+)"/.exec(body) ?? []
  const [, rest] = /fetch\(path \+ '([^'?]+)\?' \+ query/.exec(body) ?? []
  const target = `${path}${rest}`
  expect(new URL(target, 'http://localhost/w/some-world/cancel?srid=1').pathname).toBe(
    '/w/some-world/stg/us/instore/noauth/emailcancel',
  )
})

test('POST to the address of the cancellation page returns 405', async () => {
  const { app } = buildTestApp()
  expect((await app.inject({ method: 'POST', url: '/cancel' })).statusCode).toBe(405)
})
