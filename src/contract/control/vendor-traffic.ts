import { controlRoutes } from './routes.ts'

const ownRoots: ReadonlySet<string> = new Set([
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
  ...Object.values(controlRoutes).map((route) => rootOf(route.slice(route.indexOf('/')))),
])

/** Requests to the control API and the server's own pages are not journaled and are never changed by faults. */
export function isVendorTraffic(url: string): boolean {
  return url.startsWith('//') || !ownRoots.has(rootOf(url))
}

function rootOf(url: string): string {
  let end = 1
  while (end < url.length && url[end] !== '/' && url[end] !== '?') end++
  return url.slice(0, end)
}
