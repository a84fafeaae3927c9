import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { readConfig } from '../config.ts'
import { UsageError } from './command-line.ts'

const text = { type: 'string' } as const

/** What every command to a running server takes. */
export const clientOptions = { url: text, world: text, key: text } as const

export const clientHelp = [
  '--url URL       the server; default: PORT of this machine, HTTPS when TLS_CERT is set',
  '--world NAME    the world asked; without it, the default one',
  '--key KEY       key of the control API, where it is needed; default: CONTROL_KEY',
]

export interface Target {
  url?: string | undefined
  world?: string | undefined
  key?: string | undefined
}

export interface Answer {
  status: number
  text: string
}

/** A server that cannot be reached, or that refuses; its message is for the person at the terminal. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
}

/** Asks a running server; throws a ServerError with its own words when it refuses. */
export async function ask(target: Target, method: string, path: string, body?: string): Promise<Answer> {
  const answer = await send(target, method, path, body)
  if (answer.status < 400) return answer
  throw new ServerError(`the server answered ${answer.status}: ${messageOf(answer.text)}`)
}

export function send({ url, world, key }: Target, method: string, path: string, body?: string): Promise<Answer> {
  const config = readConfig()
  const base = toUrl(url ?? ownAddress(config))
  const controlKey = key ?? config.CONTROL_KEY
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(world !== undefined && { 'x-world': world }),
    ...(controlKey !== undefined && { 'x-control-key': controlKey }),
  }
  // The server of this machine is known by where it is; the name in its certificate is another's.
  const options = { method, headers, timeout: 30_000, ...(url === undefined && { rejectUnauthorized: false }) }
  const address = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base)
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new ServerError(`no server answers at ${base.origin}: ${error.message}`))
    const request = (base.protocol === 'https:' ? requestHttps : requestHttp)(address, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    request.on('error', fail)
    request.on('timeout', () => request.destroy(new Error('it took longer than 30 seconds')))
    request.end(body)
  })
}

/** Where the server is, without a slash at its end. */
export function addressOf(url: string | undefined): string {
  return toUrl(url ?? ownAddress(readConfig())).href.replace(/\/+$/, '')
}

function ownAddress({ HOST, PORT, TLS_CERT }: ReturnType<typeof readConfig>): string {
  const anywhere = HOST === '0.0.0.0' || HOST === '127.0.0.1'
  const host = anywhere ? '127.0.0.1' : HOST === '::' ? '[::1]' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `${TLS_CERT === undefined ? 'http' : 'https'}://${host}:${PORT}`
}

function toUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`${text} is no address such as http://localhost:8080`)
  return new URL(text)
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text.slice(0, 500)
  }
}
