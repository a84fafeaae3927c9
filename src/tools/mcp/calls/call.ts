import { findExample, type RequestParts } from '#contract/example.ts'
import { ToolError } from '../errors.ts'
import { toHeaders } from './callers.ts'
import { writeEnvelope } from './envelope.ts'
import { readParams, requireOperation, type VendorOperation } from './operations.ts'
import { requireParams } from './path-params.ts'

export type Query = Record<string, string | string[]>

/** A call is kept in parts, so that an explanation can change one of them at a time. */
export interface Call {
  operation: VendorOperation | undefined
  method: string
  /** Without a known operation the path is whole; else it holds `:name` for each of `params`. */
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

/** A fixture person who may call is the caller unless the agent names another; an empty header is left out. */
export function toCall({ operation: given, as, params, query, headers, body }: CallInput): Call {
  const operation = requireOperation(given)
  const address = readAddress(operation, String(given))
  const own = as === undefined ? (findExample({ scope: operation.scope })?.headers ?? {}) : {}
  const asked = as === undefined ? toHeaders(operation, undefined) : toHeaders(operation, as)
  const type: Record<string, string> =
    body !== undefined && typeof body !== 'string' && !operation.soap && !operation.contract.form
      ? { 'content-type': 'application/json' }
      : {}
  return {
    operation,
    method: operation.method,
    path: operation.path,
    params: requireParams(operation, { ...address.params, ...params }),
    query: { ...address.query, ...toQuery(query) },
    headers: lowerCased({ ...type, ...own, ...asked, ...headers }),
    body,
  }
}

/** An agent may hand over an address as a call was shown, so the values of its path are read from it. */
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

function lowerCased(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')] as const)
  const left = Object.entries(Object.fromEntries(pairs)).filter(([, value]) => value !== '')
  for (const [name, value] of left) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw new ToolError(`${name.slice(0, 80)} is no name of a header`)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new ToolError(`the header ${name} holds what no header may hold`)
  }
  return Object.fromEntries(left)
}

function toQuery(given: Readonly<Record<string, unknown>> = {}): Query {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const unsendable = pairs.find(([, value]) => [value].flat().some((each) => typeof each === 'object'))
  if (unsendable) {
    throw new ToolError(
      `query.${unsendable[0].slice(0, 80)} must be a text, a number, true or false, or a list of these`,
    )
  }
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

export function writePath({ path, params, query }: Call): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

/** A SOAP call is sent as an envelope; every other body that is no text is sent as JSON. */
export function writeBody({ operation, body }: Call): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  if (operation?.soap) return writeEnvelope(operation.soap, body as Record<string, unknown>)
  return JSON.stringify(body)
}

/** A tool accepts the call in this form again. */
export interface ShownCall {
  operation?: number | string
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
}

export function showCall(call: Call): ShownCall {
  const { operation, method, headers, body } = call
  return {
    ...(operation && { operation: operation.operation }),
    method,
    path: writePath(call),
    headers,
    ...(body !== undefined && { body }),
  }
}

export function exampleOf({ contract }: VendorOperation): RequestParts {
  const { needs: _, ...parts } = contract.example ?? {}
  return parts
}
