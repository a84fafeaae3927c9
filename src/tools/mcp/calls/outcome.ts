import { type BillingOperation, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { fromBase64 } from '#contract/records/base64.ts'
import { findJson } from '#contract/records/decoded-text.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import { ControlError, toUnreachable } from '#tools/client/errors.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { ToolError } from '../errors.ts'
import { cut } from '../tool.ts'
import { type Call, pathOf } from './call.ts'

/** Timeout of a request in milliseconds. */
const PATIENCE = 30_000
/** Maximum number of characters in a body. A longer body would fill the agent's context. */
const MAX_CHARACTERS = 100_000

export interface Outcome {
  status: number
  headers: Record<string, string>
  body: unknown
  /** Undefined if another instance handled the request. The entry is then in that instance's journal. */
  entry: JournalEntry | undefined
}

/** Never retries, because the agent must see each response. A stream is read for `forMs` milliseconds. */
export async function send(world: WorldClient, call: Call, forMs = 1000): Promise<Outcome> {
  const { method, headers, operation } = call
  const isStream = operation?.operation === 'stream'
  const body = writeBody(call)
  if (body !== undefined && ['GET', 'HEAD'].includes(method)) {
    throw new ToolError(`a ${method} request cannot have a body: omit \`body\``)
  }
  const signal = AbortSignal.timeout(isStream ? forMs : PATIENCE)
  const init = { method, headers, redirect: 'manual' as const, signal, ...(body !== undefined && { body }) }
  try {
    const reply = await world.fetch(pathOf(call), init)
    const text = isStream ? await readForAWhile(reply) : await reply.text()
    return await toOutcome(world, reply, text)
  } catch (error) {
    throw await toLost(world, call, error)
  }
}

/** An injected fault may have closed the connection. All tools return the same error for an unreachable server. */
async function toLost(world: WorldClient, call: Call, error: unknown): Promise<unknown> {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  if (error instanceof ControlError && error.code !== 'NotVendorCloud') return error
  if (cause?.code === 'ECONNREFUSED') return toUnreachable(new URL(world.url).origin, error)
  const what =
    name === 'TimeoutError' ? 'the server did not respond in time' : 'the connection was cut before the response ended'
  const entry = await findLost(world, call).catch(() => undefined)
  const next = entry ? `use the tool \`explain\` with entry ${entry.id}` : 'see the journal'
  return new ToolError(`${what}. An injected fault may be the cause: ${next}`)
}

/** A lost response has no request ID. */
async function findLost(world: WorldClient, { operation, method }: Call): Promise<JournalEntry | undefined> {
  const query = { operation: operation?.operation, method, kind: 'request', limit: 1 } as const
  const { entries } = await world.call('listJournal', { query })
  return entries.find(({ status, aborted }) => status === undefined || aborted)
}

async function toOutcome(world: WorldClient, reply: Response, text: string): Promise<Outcome> {
  const { status, headers } = reply
  const requestId = headers.get('x-request-id')
  const entry = requestId === null ? undefined : await findEntry(world, requestId)
  return {
    status,
    headers: Object.fromEntries(headers),
    body: readBody(text, headers.get('content-type') ?? ''),
    entry,
  }
}

async function findEntry(world: WorldClient, requestId: string): Promise<JournalEntry | undefined> {
  const { entries } = await world.verify({ requestId })
  return entries.find(({ kind }) => kind === 'request')
}

/** A stream does not end by itself, so the response contains the text that has arrived within `forMs`. */
async function readForAWhile({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MAX_CHARACTERS) break
    }
  } catch {
    // At the end of `forMs`, this code aborts the request itself.
  }
  return text
}

function readBody(text: string, type: string): unknown {
  if (text === '') return undefined
  // A body that a fault has cut off is not valid JSON, so it is returned as text.
  const value = /json/.test(type) ? findJson(text) : undefined
  if (value !== undefined) return value
  return cut(text, MAX_CHARACTERS)
}

function writeBody({ operation, body }: Call): string | FormData | undefined {
  if (body === undefined || typeof body === 'string') return body
  const { soap, contract } = operation ?? {}
  if (contract?.form) return writeForm(contract.form.field, body)
  return soap ? writeEnvelope(soap, body as Record<string, unknown>) : JSON.stringify(body)
}

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

function writeEnvelope(operation: BillingOperation, inputs: Readonly<Record<string, unknown>>): string {
  const children = Object.entries(inputs)
    .filter(([name, value]) => /^[A-Za-z_][\w.-]*$/.test(name) && value !== undefined && value !== null)
    .map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`)
  const content = `<n:${operation} xmlns:n="${DEFAULT_NAMESPACE}">${children.join('')}</n:${operation}>`
  return `<e:Envelope xmlns:e="${SOAP}"><e:Body>${content}</e:Body></e:Envelope>`
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function writeForm(field: string, body: unknown): FormData {
  const { [field]: image, ...others } = Object(body) as Readonly<Record<string, unknown>>
  if (typeof image !== 'string' || Object.keys(others).length > 0) {
    throw new ToolError(
      `body must have only ${field}, an image in base64; leave out body to send the built-in image of one pixel`,
    )
  }
  const form = new FormData()
  form.append(field, new Blob([readImage(field, image)]), 'image')
  return form
}

function readImage(field: string, image: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(fromBase64(image))
  } catch {
    throw new ToolError(`body.${field} must be base64`)
  }
}
