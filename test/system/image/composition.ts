import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FormData, request } from 'undici'
import type { CreatedSubscription } from '../../helpers/documents/events.ts'
import { ALL, asBearer, HOME, LIGHT } from '../../helpers/documents/events.ts'
import { type Block, openStream, type StreamReader, valueIn } from '../../helpers/documents/stream-reader.ts'

/**
 * Helpers for testing compose.yaml and compose.sh from outside. They send requests to the proxy and use the command
 * line of Docker.
 */
export const PROXY = `http://localhost:${process.env['PORT'] ?? '8080'}`
/** The default key in compose.yaml, which is meant only for use on this machine. */
export const KEY = { 'x-control-key': 'open-on-this-machine' }
const ROOT = join(import.meta.dirname, '../../..')

type Headers = Record<string, string>

export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

export const compose = (...args: string[]) => docker('compose', ...args)
export const startAll = () => compose('up', '--detach', '--wait')
export const container = (service: string, number = 1) => `vendor-cloud-${service}-${number}`

/** Selects an instance with the Host header, because not every machine can resolve the name of an instance. */
export const onlyAt = (number: number): Headers => ({ host: `${number}.localhost` })

export async function inspect<T>(name: string, field: string): Promise<T> {
  return JSON.parse(await docker('inspect', '--format', `{{json ${field}}}`, name)) as T
}

/** Returns the address of an instance, as the proxy sends it in the header X-Instance. */
export async function addressOf(number: number): Promise<string> {
  const networks = await inspect<Record<string, { IPAddress: string }>>(
    container('server', number),
    '.NetworkSettings.Networks',
  )
  return `${networks['vendor-cloud_inside']!.IPAddress}:8080`
}

export interface Reply {
  status: number
  headers: Readonly<Record<string, unknown>>
  text: string
  body: Record<string, unknown>
}

/** Unlike `fetch`, this function can set the Host header. */
export async function send(method: Method, path: string, body?: unknown, headers: Headers = {}): Promise<Reply> {
  const isRaw = typeof body === 'string' || body instanceof FormData
  const reply = await request(PROXY + path, {
    method,
    headers: { ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }), ...KEY, ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  })
  const text = await reply.body.text()
  const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: reply.statusCode, headers: reply.headers, text, body: parsed }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export const putSetting = (name: string, headers: Headers = {}) =>
  send('PUT', `/_control/records/settings/${name}`, { name, value: '1' }, headers)
export const readSetting = (name: string) => send('GET', `/_control/records/settings/${name}`)

/** Creates a new token for each subscription, because a token may have only one stream. */
export async function subscribe(headers: Headers = {}): Promise<CreatedSubscription> {
  const scopes = ['r:devices:*', 'r:locations:*']
  const draft = { user: 'alice-home', scopes, locations: [HOME], expiresIn: 3600 }
  const { body } = await send('POST', '/_control/tokens', draft)
  const token = asBearer(String(body['accessToken']))
  const created = await send('POST', '/subscriptions', { subscriptionFilters: ALL }, { ...token, ...headers })
  return created.body as unknown as CreatedSubscription
}

export async function open({ registrationUrl }: CreatedSubscription, headers: Headers = {}): Promise<StreamReader> {
  const reader = await openStream(registrationUrl, headers)
  if (reader.status !== 200) throw new Error(`the stream is answered ${reader.status}`)
  await reader.next()
  return reader
}

export async function emit(value: number): Promise<void> {
  const event = { capability: 'switchLevel', attribute: 'level', value, force: true }
  const { status, text } = await send('POST', `/_control/devices/${LIGHT}/events`, event)
  if (status !== 200) throw new Error(`the event is answered ${status}: ${text}`)
}

export async function emitAll(numbers: readonly number[]): Promise<void> {
  for (const number of numbers) await emit(number)
}

export const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

export async function values(reader: StreamReader, count: number): Promise<unknown[]> {
  const found: unknown[] = []
  while (found.length < count) {
    const block: Block | undefined = await reader.next()
    if (!block) break
    if (block.event === 'DEVICE_EVENT') found.push(valueIn(block))
  }
  return found
}

export const lastId = (reader: StreamReader) => ({ 'last-event-id': reader.blocks.findLast(({ id }) => id)!.id! })

export async function holderOf(reader: StreamReader): Promise<number> {
  for (const number of [1, 2]) if (reader.headers['x-instance'] === (await addressOf(number))) return number
  throw new Error(`no instance is at ${String(reader.headers['x-instance'])}`)
}
