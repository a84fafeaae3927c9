import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const names = [
  'constructor',
  '__proto__',
  'toString',
  'index.js',
  'package.json',
  '..%2fpackage.json',
  '%2e%2e%2fpackage.json',
]

test('the console and the documentation serve only their own files, with security headers', async () => {
  const folder = makeTemporaryFolder()
  for (const name of ['index.html', 'main.js', 'main.css', 'secret.txt']) writeFileSync(join(folder, name), name)
  const { app } = buildTestApp({ console: folder })
  for (const name of [...names, 'secret.txt']) {
    for (const page of ['/_console', '/docs']) {
      expect((await app.inject(`${page}/${name}`)).statusCode, `${page}/${name}`).toBe(404)
    }
  }
  expect((await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'a' } })).statusCode).toBe(200)
  for (const page of ['/_console', '/docs', '/w/a/_console', '/w/a/docs']) {
    const { statusCode, headers } = await app.inject(`${page}/`)
    const { pathname } = new URL(headers.location!, `http://served${page}/`)
    expect([statusCode, pathname], page).toEqual([308, page])
  }
  for (const [path, type] of [
    ['/_console', 'text/html; charset=utf-8'],
    ['/_console/main.js', 'application/javascript; charset=utf-8'],
    ['/_console/main.css', 'text/css; charset=utf-8'],
    ['/', 'application/json; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/docs/billing', 'text/html; charset=utf-8'],
    ['/docs/page.css', 'text/css; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/copy.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { statusCode, headers } = await app.inject(path)
    expect([statusCode, headers['content-type'], headers['x-content-type-options']], path).toEqual([
      200,
      type,
      'nosniff',
    ])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }
})
