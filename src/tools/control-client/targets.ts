import { type ControlOperation, controlRoutes } from '../../contract/control/routes.ts'

/** The values in an operation's path, in their order, and its query. */
export interface Address {
  params?: readonly unknown[] | undefined
  query?: object | undefined
}

/** Values of a path may hold anything. */
export function toTarget(name: ControlOperation, { params = [], query }: Address): { method: string; path: string } {
  const [method = '', route = ''] = controlRoutes[name].split(' ')
  const left = params.values()
  const path = route.replace(/:\w+/g, () => encodeURIComponent(String(left.next().value)))
  return { method, path: path + toQuery(query) }
}

function toQuery(given: object = {}): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`
}
