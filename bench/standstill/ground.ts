import { type Server, start, type Turn } from './server.ts'

export interface Ground {
  url: string
  /**
   * Sends a request that is not measured. Throws if the response has another status than `status`. Default: any status
   * from 200 to 299.
   */
  send(path: string, init?: RequestInit, status?: number): Promise<string>
  /** Reports the longest event-loop tick during `work` under this name. */
  measure<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Sends and measures a request. Throws if the status differs, because the wrong request would then have been
   * measured.
   */
  call(name: string, status: number, path: string, init?: RequestInit): Promise<string>
  stop(): Promise<void>
}

export type Turns = Map<string, Turn[]>

export async function openGround(settings: Readonly<Record<string, string>>, turns: Turns): Promise<Ground> {
  const server: Server = await start(settings)
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = await server.longestTurn()
    const result = await work()
    const turn = await server.longestTurn()
    turns.set(name, [...(turns.get(name) ?? []), { ...turn, pace: (before.pace + turn.pace) / 2 }])
    return result
  }
  const send = async (path: string, init?: RequestInit, status?: number) => {
    const reply = await fetch(server.url + path, init)
    const text = await reply.text()
    const isMeant = status === undefined ? reply.ok : reply.status === status
    if (!isMeant)
      throw new Error(`${init?.method ?? 'GET'} ${path.slice(0, 100)}: ${reply.status} ${text.slice(0, 200)}`)
    return text
  }
  return {
    url: server.url,
    send,
    measure,
    call: (name, status, path, init) => measure(name, () => send(path, init, status)),
    stop: server.stop,
  }
}

export function sending(method: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, body: text, headers: { 'content-type': 'application/json', ...headers } }
}

export function soapCall(inputs: string, attributes = ''): RequestInit {
  const call = `<createServiceToken xmlns="http://ws.iap.vendor.com/"${attributes}>${inputs}</createServiceToken>`
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${call}</e:Body></e:Envelope>`
  return { method: 'POST', body, headers: { 'content-type': 'text/xml' } }
}

export async function inWorld(ground: Ground, name: string, work: (prefix: string) => Promise<void>): Promise<void> {
  await ground.send('/_control/worlds', sending('POST', { name }))
  await work(`/w/${name}`)
  await ground.send(`/_control/worlds/${name}`, { method: 'DELETE' })
}

export function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}
