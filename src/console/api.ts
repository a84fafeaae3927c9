import { keyHeader, toUrl } from './address.ts'

export interface Finding {
  code: string
  message: string
  target: string
}

/** What the server said when it refused, or why it could not be asked. */
export class ApiError extends Error {
  readonly status: number
  readonly findings: readonly Finding[]

  constructor(status: number, message: string, findings: readonly Finding[] = []) {
    super(message)
    this.status = status
    this.findings = findings
  }
}

export function get<T>(path: string): Promise<T> {
  return call<T>('GET', path)
}

/** Asks the control API in the world that is shown; throws an ApiError. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const reply = await send(`/_control/${path}`, {
    method,
    headers: { ...keyHeader(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: text }),
  })
  if (!reply.ok) throw await readRefusal(reply)
  const answer = await reply.text()
  return (answer === '' ? undefined : JSON.parse(answer)) as T
}

/** The bytes of a file that the control API holds. */
export async function getFile(path: string): Promise<Blob> {
  const reply = await send(`/_control/${path}`, { headers: keyHeader() })
  if (!reply.ok) throw await readRefusal(reply)
  return reply.blob()
}

export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(toUrl(path), init)
  } catch {
    throw new ApiError(0, 'The server cannot be reached. Is it still running?')
  }
}

export async function readRefusal(reply: Response): Promise<ApiError> {
  const text = await reply.text()
  try {
    const { error } = JSON.parse(text) as { error: { message: string; details: Finding[] } }
    return new ApiError(reply.status, error.message, error.details)
  } catch {
    return new ApiError(reply.status, text || `The server answered ${reply.status}.`)
  }
}
