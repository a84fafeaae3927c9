import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The environment variable `DIST` selects another build. */
const DIST = process.env['DIST'] ?? join(import.meta.dirname, '../../dist')

export interface Turn {
  longest: number
  collected: number
  /** CPU time that a constant amount of work takes after each request. It shows the current speed of the machine. */
  pace: number
}

/** The process reports the duration of its event-loop ticks. */
export interface Server {
  url: string
  /** Returns the longest tick since the previous call. */
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
