import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * The programs to test: the server at BASE_URL if that is set, and otherwise these two. `scripts/build/build.mjs`
 * builds the second program.
 */
export const programs = process.env['ACCEPTANCE_URL'] ? ['BASE_URL'] : ['src/main.ts', 'dist/main.js']

/** Uses the server at BASE_URL (with the key in CONTROL_KEY). If BASE_URL is not set, starts a server. */
export function useServer(main = 'dist/main.js'): { url: string } {
  const server = { url: process.env['ACCEPTANCE_URL']?.replace(/\/+$/, '') ?? '' }
  if (server.url) return server
  let child: ChildProcess
  beforeAll(async () => {
    const program = main.endsWith('.ts') ? ['--import', 'tsx', main] : [main]
    const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent' }
    const started = spawn(process.execPath, program, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    for await (const line of createInterface(started.stdout)) {
      const url = /listens on (\S+)/.exec(line)?.[1]
      if (url) {
        server.url = url
        break
      }
    }
  })
  afterAll(() => void child.kill('SIGTERM'))
  return server
}

export interface Reply {
  status: number
  text: string
  json: Record<string, unknown>
}

export async function call(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const key = process.env['CONTROL_KEY']
  const reply = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-control-key': key }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = /[/+]json\b/.test(reply.headers.get('content-type') ?? '') && text !== ''
  return { status: reply.status, text, json: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}
