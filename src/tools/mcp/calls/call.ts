import { findExample, writeRequest } from '#contract/example.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { ifPresent, ToolError } from '../errors.ts'
import { readParams, requireInputs, requireOperation, requireParams, type VendorOperation } from './operations.ts'

export type Query = Record<string, string | string[]>

/** A request as separate parts, so that an explanation can replace individual values. */
export interface Call {
  operation: VendorOperation | undefined
  method: string
  /** Contains `:name` for each of `params`. If the operation is unknown, this is the full path. */
  path: string
  params: Record<string, string>
  query: Query
  headers: Record<string, string>
  body: unknown
}

export interface CallInput {
  operation: number | string
  as?: string | undefined
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  headers?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}

const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='

/** If `as` is not set, uses a caller from the fixtures that has access. Empty headers are omitted. */
export function toCall({ operation: given, as, params, query, headers, body }: CallInput): Call {
  const operation = requireOperation(given)
  const { soap, contract } = operation
  if (soap && (body ?? undefined) === undefined) requireInputs(operation)
  const address = readAddress(operation, String(given))
  const isJson = body !== undefined && typeof body !== 'string' && !soap && !contract.form
  const isWithoutImage = contract.form && (body === undefined || JSON.stringify(body) === '{}')
  return {
    operation,
    method: operation.method,
    path: operation.path,
    params: requireParams(operation, { ...address.params, ...params }),
    query: { ...address.query, ...toQuery(query) },
    headers: toHeaders({
      ...(isJson && { 'content-type': 'application/json' }),
      ...callerOf(operation, as),
      ...headers,
    }),
    body: isWithoutImage ? { [contract.form!.field]: PIXEL } : body,
  }
}

function readAddress(operation: VendorOperation, given: string): Pick<Call, 'params' | 'query'> {
  const [, path = '', query = ''] = /^\s*\w+\s+(\/[^?]*)(?:\?(.*))?$/s.exec(given) ?? []
  const named = Object.entries(readParams(operation, path)).filter(([, value]) => value !== '' && value[0] !== ':')
  return { params: Object.fromEntries(named), query: readQuery(query) }
}

export function readQuery(text = ''): Query {
  const parameters = new URLSearchParams(text)
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? values[0]! : values]
    }),
  )
}

const NOBODY = 'none'
const CALLERS = 'The resource vendor-cloud://people lists callers'

/** Returns the headers that identify the caller `name`. In SOAP, the body identifies the caller. */
function callerOf(
  { operation, scope, soap }: VendorOperation,
  name: string | undefined,
): Readonly<Record<string, unknown>> {
  if (soap && name !== undefined && name !== NOBODY)
    throw new ToolError(`operation ${operation} has no caller, so omit as: the body identifies the seller`)
  if (soap) return { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }
  if (scope === 'partners') return name === NOBODY ? {} : { partnerCode: name ?? knownFixtures.partners[0] }
  if (name === undefined) return findExample({ scope })?.headers ?? {}
  if (scope === 'tokens' || scope === 'anyPage') return name === NOBODY ? {} : { authorization: `Bearer ${name}` }
  if (name === NOBODY) return { 'request-source': 'vendor.com' }
  if (knownFixtures.tokens.some((token) => token === name)) {
    throw new ToolError(`as ${name} is a token, but operation ${operation} needs a caller. ${CALLERS}`)
  }
  // Document 1, section 4, common request headers: apps identify the caller by GUID, the web site by profId.
  const [, app] = /^(splus|voyager)-/.exec(name) ?? []
  return app === undefined
    ? { 'request-source': 'vendor.com', 'vendorus-profId': name }
    : { 'request-source': app, 'vendorus-GUID': name }
}

/** The vendor accepts most unknown identities, so a misspelled caller would not be noticed. */
export async function assertCaller(world: WorldClient, { scope }: VendorOperation, name: string): Promise<void> {
  if (name === NOBODY) return
  const kind = scope === 'partners' ? 'partner' : scope === 'tokens' || scope === 'anyPage' ? 'token' : 'caller'
  const [collection, keys] = {
    caller: ['profiles', [`profile:${name}`, `guid:${name}`]] as const,
    partner: ['partners', [name]] as const,
    token: ['accessTokens', [await digestOf(name)]] as const,
  }[kind]
  for (const key of keys) if (await ifPresent(world.records.get(collection, key))) return
  const { callers, dealers, partners, tokens } = (await world.status()).try
  const known = { caller: [...callers, ...dealers], partner: partners, token: tokens }[kind]
  const profiles = kind === 'caller' ? (await world.records.list('profiles', { limit: 100 })).items : []
  const names = [...known, ...profiles.map(({ userId }) => String(userId).replace(/^\w+:/, ''))]
  throw new ToolError(
    `as ${name} is not a ${kind} of world ${world.name}${suggestNearest(name, names, '')}. Use one of ` +
      `${known.join(', ')} or none, or send another one in headers`,
  )
}

async function digestOf(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')] as const)
  const left = Object.entries(Object.fromEntries(pairs)).filter(([, value]) => value !== '')
  for (const [name, value] of left) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw new ToolError(`${name.slice(0, 80)} is not a valid header name`)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new ToolError(`the header ${name} has characters that headers cannot have`)
  }
  return Object.fromEntries(left)
}

function toQuery(given: Readonly<Record<string, unknown>> = {}): Query {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const unsendable = pairs.find(([, value]) => [value].flat().some((each) => typeof each === 'object'))
  if (unsendable) {
    throw new ToolError(
      `query.${unsendable[0].slice(0, 80)} must be a string, a number, a boolean, or an array of these`,
    )
  }
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

export function pathOf(call: Call): string {
  return writeRequest(`${call.method} ${call.path}`, { params: call.params, query: call.query }).path
}

/** The tool `call` accepts a request in this format. */
export interface DisplayedCall {
  operation?: number | string
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
}

export function showCall(call: Call): DisplayedCall {
  const { operation, method, headers, body } = call
  return {
    ...(operation && { operation: operation.operation }),
    method,
    path: pathOf(call),
    headers,
    ...(body !== undefined && { body }),
  }
}
