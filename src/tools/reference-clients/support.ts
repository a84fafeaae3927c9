import type { ErrorBody, SupportOperations } from 'vendor-cloud/types'
import { persist } from './retries.ts'
import { parseJson, Refusal, type Reply, send, tryJson, type Wire } from './wire.ts'

export type SupportOperation = keyof SupportOperations
type Row<Name extends SupportOperation> = SupportOperations[Name]
type Parameters<Name extends SupportOperation> = Row<Name> extends { parameters: infer P } ? P : object
type SentBody<Name extends SupportOperation> =
  Row<Name> extends { body: infer B }
    ? [body: B]
    : Row<Name> extends { form: infer Field extends string }
      ? [body: Record<Field, Blob>]
      : []
/** `parameters` is optional if the operation has no required parameters. */
type Arguments<Name extends SupportOperation> =
  SentBody<Name> extends []
    ? object extends Parameters<Name>
      ? [parameters?: Parameters<Name>]
      : [parameters: Parameters<Name>]
    : [parameters: Parameters<Name>, ...SentBody<Name>]

export type PagedOperation = {
  [Name in SupportOperation]: Row<Name>['reply'] extends { items: unknown[]; hasMore: boolean } ? Name : never
}[SupportOperation]
type Item<Name extends PagedOperation> = Row<Name>['reply']['items'][number]

export interface SupportOptions extends Wire {
  /** Determines which header identifies the caller. */
  source: 'vendor.com' | 'splus' | 'voyager'
  /** The web site sends a profile ID, the apps send a GUID. A guest without an account has neither. */
  identity?: string
  /** Called after 401, when a session has expired. The rejected call is then repeated once. */
  signIn?: () => Promise<unknown>
}

export interface SupportClient {
  /** Calls an operation. If the status is 204, resolves with undefined. */
  call<Name extends SupportOperation>(name: Name, ...given: Arguments<Name>): Promise<Row<Name>['reply']>
  /** New rows move other rows to later pages. `idOf` identifies the rows that were already returned. */
  items<Name extends PagedOperation>(
    name: Name,
    parameters: Parameters<Name>,
    idOf: (item: Item<Name>) => string,
  ): AsyncGenerator<Item<Name>, void>
}

export function createSupportClient(options: SupportOptions): SupportClient {
  const { source, identity, signIn } = options
  const origin = { 'request-source': source, accept: 'application/json' }
  const own =
    identity === undefined
      ? origin
      : { ...origin, [source === 'vendor.com' ? 'vendorus-profId' : 'vendorus-GUID']: identity }

  async function ask(name: string, parameters: object = {}, body?: object): Promise<unknown> {
    const [method = '', template = ''] = name.split(' ')
    const headers = template.includes('/noauth/') ? origin : own
    const init = { method, ...toInit(headers, body) }
    const attempt = async () => {
      const reply = await send(options, toPath(template, parameters), init)
      if (reply.status === 204) return undefined
      if (reply.status >= 300) throw toRefusal(name, reply)
      return parseJson(reply.text)
    }
    const act = () => persist(options, method !== 'POST', attempt)
    try {
      return await act()
    } catch (error) {
      if (!signIn || !(error instanceof Refusal) || error.status !== 401) throw error
      await signIn()
      return act()
    }
  }

  async function* items(name: PagedOperation, parameters: object, idOf: (item: never) => string) {
    const had = new Set<string>()
    let next: object | undefined = name.endsWith('/stores') ? { pagination: true } : {}
    while (next) {
      const page = (await ask(name, { ...parameters, ...next })) as Page
      for (const item of page.items) {
        const id = idOf(item)
        if (!had.has(id)) yield item
        had.add(id)
      }
      next = nextOf(page)
    }
  }

  // Parameters and responses are declared only in the table of operations.
  return { call: ask, items } as SupportClient
}

interface Page {
  items: never[]
  hasMore: boolean
  offset?: number
  pageNo?: number
}

function nextOf({ items, hasMore, offset = 0, pageNo }: Page): object | undefined {
  if (!hasMore || items.length === 0) return undefined
  return pageNo === undefined ? { offset: offset + items.length } : { pagination: true, pageNo: pageNo + 1 }
}

/** Parameters that are not in the path are added to the query. An array becomes a repeated parameter. */
function toPath(template: string, parameters: object): string {
  const query = new URLSearchParams()
  let path = template
  for (const [name, value] of Object.entries(parameters) as [string, unknown][]) {
    const place = `{${name}}`
    if (path.includes(place)) path = path.replace(place, encodeURIComponent(String(value)))
    else for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

function toInit(headers: Record<string, string>, body: object | undefined): RequestInit {
  if (!body) return { headers }
  const files = Object.entries(body).filter(([, value]) => value instanceof Blob)
  if (files.length === 0) {
    return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  }
  const form = new FormData()
  for (const [name, file] of files) form.append(name, file as Blob, 'name' in file ? String(file.name) : name)
  return { headers, body: form }
}

function toRefusal(name: string, reply: Reply): Refusal {
  const { error = {} } = (tryJson(reply.text) ?? {}) as { error?: Partial<ErrorBody['error']> }
  const { code = 'Unknown', message = reply.text.slice(0, 200), details = [] } = error
  const words = details.map((each) => each.message).join('; ') || message
  return new Refusal(reply, [code, ...details.map((each) => each.code)], `${name}: ${reply.status} ${words}`)
}
