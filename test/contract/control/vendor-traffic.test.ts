import { expect, test } from 'vitest'
import { isVendorTraffic } from '../../../src/contract/control/vendor-traffic.ts'
import { controlRoutes } from '../../../src/contract/control/routes.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'

test.each(['/', '/?a', '/_control', '/_control/unknown', '/_console?x', '/health/live', '/docs/', '/openapi'])(
  'a request to the path %s does not count as vendor traffic',
  (url) => expect(isVendorTraffic(url)).toBe(false),
)

test.each(['//', '//_control', '*', '/unknown', '/_controls', '/healthy', '/filters/1', '/stg/us?/_control', ''])(
  'a request to the path %s counts as vendor traffic',
  (url) => expect(isVendorTraffic(url)).toBe(true),
)

test('no path of the control API counts as vendor traffic', () => {
  const paths = Object.values(controlRoutes).map((route) => route.slice(route.indexOf('/')))
  expect(paths.filter(isVendorTraffic)).toEqual([])
})

test('the path of every vendor route starts with one of the known API roots', async () => {
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
