import { expect, test } from 'vitest'
import { isVendorTraffic } from '../../../src/contract/control/vendor-traffic.ts'
import { controlRoutes } from '../../../src/contract/control/routes.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'

test.each(['/', '/?a', '/_control', '/_control/unknown', '/_console?x', '/health/live', '/docs/', '/openapi'])(
  'the path %s belongs to the server, whether known or not',
  (url) => expect(isVendorTraffic(url)).toBe(false),
)

test.each(['//', '//_control', '*', '/unknown', '/_controls', '/healthy', '/filters/1', '/stg/us?/_control', ''])(
  'the path %s belongs to the vendor, whether known or not',
  (url) => expect(isVendorTraffic(url)).toBe(true),
)

test('no route of the control API is vendor traffic', () => {
  const paths = Object.values(controlRoutes).map((route) => route.slice(route.indexOf('/')))
  expect(paths.filter(isVendorTraffic)).toEqual([])
})

test('every vendor path is below a root of the APIs', async () => {
  const { app } = await buildTestApp()
  await app.ready()
  const vendor = app.knownPaths.list().filter(({ pattern }) => isVendorTraffic(pattern))
  const roots = vendor.map(({ pattern }) => pattern.split('/', 2).join('/'))
  expect([...new Set(roots)].sort()).toEqual([
    '/cancel',
    '/filters',
    '/iap',
    '/stg',
    '/subscriptions',
    '/v1',
    '/wallet',
  ])
})
