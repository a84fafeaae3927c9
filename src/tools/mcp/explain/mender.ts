import type { ToTry } from '../../../contract/records/control/status.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import type { Call } from '../calls/call.ts'
import type { Refusal } from './refusal.ts'

/** The ground on which changes of a call are looked for and tried: a fork, which nobody else sees. */
export interface Ground {
  fork: WorldClient
  /** Names of the fixtures that are in the world. */
  people: ToTry
}

/** A refused call, or one that has been changed and is still refused. */
export interface Refused {
  call: Call
  refusal: Refusal
}

/** A call that has to come first; what it answers may stand in the call behind it. */
export interface Before {
  call: Call
  told: string
  /** Puts the value that it is answered into the call; `name` stands for that value where the call is shown. */
  read?: { name: string; from: (body: unknown) => string | undefined; into: (call: Call, value: string) => Call }
}

/** A call that is nearer to one that passes. */
export interface Change {
  call: Call
  /** What is changed in it, as a part of a sentence. */
  told: string
  first?: Before
  /** Moves the clock of the fork; whoever makes the call moves his world's, or waits. */
  wait?: string
}

/** Finds changes for some refusals, the nearest first; none for others. */
export type Mender = (ground: Ground, refused: Refused) => Promise<Change[]> | Change[]

/** The call with another value at a place such as `query.limit` or `body.symptoms[0]`; undefined takes it away. */
export function withValue(call: Call, target: string, value: unknown): Call {
  const [part = '', ...rest] = toKeys(target)
  const [name] = rest
  if (part === 'body') return { ...call, body: setAt(call.body, rest, value) }
  if (name === undefined) return call
  const key = String(name)
  if (part === 'header') return { ...call, headers: setText(call.headers, key.toLowerCase(), value) }
  if (part === 'params' || part === 'path') return { ...call, params: setText(call.params, key, value) }
  if (part !== 'query') return call
  const next = setAt(call.query, toQueryKeys(call.query, target), value) as Record<string, unknown>
  const pairs = Object.entries(next).filter(([, each]) => each !== undefined)
  return {
    ...call,
    query: Object.fromEntries(pairs.map(([k, v]) => [k, Array.isArray(v) ? v.map(String) : String(v)])),
  }
}

export function valueAt(call: Call, target: string): unknown {
  const [part = '', ...rest] = toKeys(target)
  if (part === 'header') return call.headers[String(rest[0]).toLowerCase()]
  if (part === 'params' || part === 'path') return call.params[String(rest[0])]
  if (part === 'query') return readAt(call.query, toQueryKeys(call.query, target))
  return part === 'body' ? readAt(call.body, rest) : undefined
}

/** `body.symptoms[0]` as its keys; names that hold brackets themselves are those of `sorts[0].field`. */
function toKeys(target: string): (string | number)[] {
  return target.split(/\.|(?=\[\d+\])/).map((key) => (/^\[\d+\]$/.test(key) ? Number(key.slice(1, -1)) : key))
}

/** Parameters may have brackets in their names; one value of a list may stand alone. */
function toQueryKeys(query: Readonly<Record<string, unknown>>, target: string): (string | number)[] {
  const name = target.slice('query.'.length)
  if (name in query || name.startsWith('sorts[')) return [name]
  const [first = '', index] = toKeys(name)
  return index === undefined || !Array.isArray(query[String(first)]) ? [first] : [first, index]
}

function setText(map: Readonly<Record<string, string>>, name: string, value: unknown): Record<string, string> {
  const { [name]: _, ...rest } = map
  return value === undefined ? rest : { ...rest, [name]: String(value) }
}

function readAt(value: unknown, keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string | number, unknown>)[key]
        : undefined,
    value,
  )
}

function setAt(value: unknown, [key, ...rest]: readonly (string | number)[], next: unknown): unknown {
  if (key === undefined) return next
  const isObject = typeof value === 'object' && value !== null
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    list[key] = setAt(list[key], rest, next)
    return next === undefined && rest.length === 0 ? list.filter((_, index) => index !== key) : list
  }
  const { [key]: old, ...others } = isObject && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  const made = setAt(old, rest, next)
  return made === undefined ? others : { ...(isObject ? value : {}), [key]: made }
}
