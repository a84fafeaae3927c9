import { controlRoutes } from './routes.ts'

const ownPages = [
  '/',
  '/_console',
  '/docs',
  '/openapi',
  '/favicon.ico',
  '/llms.txt',
  '/README.md',
  '/SECURITY.md',
  '/CHANGELOG.md',
  '/compose.yaml',
  '/examples',
  '/fixtures',
  '/skills',
  '/health',
  '/metrics',
]

const ownRoots: ReadonlySet<string> = new Set([
  ...ownPages,
  ...Object.values(controlRoutes).map((route) => rootOf(route.slice(route.indexOf('/')))),
])

/** Calls that steer and watch are no vendor traffic: they are neither journaled nor made to fail. */
export function isVendorTraffic(url: string): boolean {
  return url.startsWith('//') || !ownRoots.has(rootOf(url))
}

function rootOf(url: string): string {
  let end = 1
  while (end < url.length && url[end] !== '/' && url[end] !== '?') end++
  return url.slice(0, end)
}
