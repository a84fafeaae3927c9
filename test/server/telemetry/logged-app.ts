import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'

interface Line {
  world?: string
  reqId?: string
  level: number
  path: string
  msg: string
  status?: number
  reason?: string
  faults?: string[]
  aborted?: true
}

/** Collects the log lines of requests and of ended streams, and all warnings and errors. */
export function buildLogged() {
  const { worlds } = buildTestApp()
  const lines: Line[] = []
  const write = (text: string) => {
    const line: Line = JSON.parse(text)
    if (/^request$|^stream ended/.test(line.msg) || line.level >= 40) lines.push(line)
  }
  const logger = pino({ level: 'debug' }, { write })
  const app = buildApp({ worlds, logger, control: { open: true, worlds, jobs: createJobQueue(), version: 'test' } })
  onTestFinished(() => app.close())
  return { app, lines, worlds }
}

export function writeHead(method: string, path: string, headers: object): string {
  const all = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${all.join('')}\r\n`
}

export async function sendAndLeave(address: string, text: string, until: () => Promise<void>): Promise<void> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  await until()
  socket.resetAndDestroy()
}
