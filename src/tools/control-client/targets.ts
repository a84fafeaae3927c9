import { type ControlOperation, controlRoutes } from '../../contract/control/routes.ts'

export interface Address {
  params?: readonly unknown[] | undefined
  query?: object | undefined
}

/** A value may hold slashes or dots, so it is encoded. */
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
