import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** `DIST` may name another build. */
const DIST = process.env['DIST'] ?? join(import.meta.dirname, '../../dist')

export interface Turn {
  longest: number
  collected: number
  /** The same work follows each request, so its time shows how fast the machine is just now. */
  pace: number
}

/** The process reports how long its ticks took. */
export interface Server {
  url: string
  /** Reset whenever it is asked for. */
  longestTurn(): Promise<Turn>
  stop(): Promise<void>
}

export async function start(settings: Readonly<Record<string, string>>): Promise<Server> {
  const execArgv = ['--import', join(import.meta.dirname, '../harness/loop-delay.mjs')]
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...settings }
  const child = fork(join(DIST, 'main.js'), { execArgv, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const url = await addressOf(child)
  return {
    url,
    async longestTurn() {
      await wait(20)
      child.send('tell')
      const [turn] = (await once(child, 'message')) as [Turn]
      return turn
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout!) {
    text += String(chunk)
    const [url] = /http:\/\/[\d.]+:\d+/.exec(text) ?? []
    if (url) return url
  }
  throw new Error('the server has not started')
}
