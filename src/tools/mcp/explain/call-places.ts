import type { Call } from '../calls/call.ts'

// Findings name a place in a call as `query.limit`, `body.symptoms[0]` or `header.request-source`.

type Keys = readonly (string | number)[]

export function valueAt(call: Call, target: string): unknown {
  const { part, keys } = toPlace(call, target)
  return part === undefined ? undefined : readAt(call[part], keys)
}

/** Undefined takes the value away. */
export function withValue(call: Call, target: string, value: unknown): Call {
  const { part, keys } = toPlace(call, target)
  if (part === undefined || (part !== 'body' && keys.length === 0)) return call
  const changed = setAt(call[part], keys, value)
  return { ...call, [part]: part === 'body' ? changed : toTexts(changed) }
}

/** Finds the field in the path, the query or the body. */
export function fieldOf({ params, query, body }: Call, name: string): string | undefined {
  const value = params[name] ?? query[name] ?? fieldsOf(body)[name]
  return typeof value === 'string' ? value : undefined
}

export interface Place {
  target: string
  name: string
  value: string
}

/** Texts of the path come first, since most refusals are about them. */
export function placesOf({ params, query, body }: Call): Place[] {
  const parts = [
    ['params', params],
    ['query', query],
    ['body', fieldsOf(body)],
  ] as const
  return parts.flatMap(([part, values]) =>
    Object.entries(values).flatMap(([name, given]): Place[] =>
      [given].flat().flatMap((value, index) => {
        if (typeof value !== 'string') return []
        const at = Array.isArray(given) ? `[${index}]` : ''
        return [{ target: `${part}.${name}${at}`, name, value }]
      }),
    ),
  )
}

export function sayValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length <= 80 ? text : `${text.slice(0, 80)}… (${text.length} characters)`
}

const parts: Readonly<Record<string, 'headers' | 'params' | 'query' | 'body'>> = {
  header: 'headers',
  params: 'params',
  path: 'params',
  query: 'query',
  body: 'body',
}

function toPlace({ query }: Call, target: string): { part: (typeof parts)[string] | undefined; keys: Keys } {
  const [start = '', ...rest] = target.split(/\.|(?=\[\d+\])/)
  const part = Object.hasOwn(parts, start) ? parts[start] : undefined
  if (part === 'query') return { part, keys: toQueryKeys(query, target.slice('query.'.length)) }
  if (part === 'body') return { part, keys: rest.map(toKey) }
  return { part, keys: rest.slice(0, 1).map((name) => (part === 'headers' ? name.toLowerCase() : name)) }
}

const toKey = (key: string) => (/^\[\d+\]$/.test(key) ? Number(key.slice(1, -1)) : key)

/** Parameters may have brackets in their names, as `sorts[0].field` has; one value of a list may stand alone. */
function toQueryKeys(query: Call['query'], name: string): Keys {
  if (name in query || name.startsWith('sorts[')) return [name]
  const [first = '', index] = name.split(/\.|(?=\[\d+\])/).map(toKey)
  return index === undefined || !Array.isArray(query[String(first)]) ? [first] : [first, index]
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}

function toTexts(fields: unknown): Call['query'] {
  const pairs = Object.entries(fieldsOf(fields)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

function readAt(value: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>((at, key) => (Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined), value)
}

function setAt(value: unknown, [key, ...rest]: Keys, next: unknown): unknown {
  if (key === undefined) return next
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    list[key] = setAt(list[key], rest, next)
    return next === undefined && rest.length === 0 ? list.filter((_, index) => index !== key) : list
  }
  const { [key]: old, ...others } = Array.isArray(value) ? {} : fieldsOf(value)
  const made = setAt(old, rest, next)
  return made === undefined ? others : { ...fieldsOf(value), [key]: made }
}
