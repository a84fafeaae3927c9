import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** What is built, or where another build stands. */
const DIST = process.env['DIST'] ?? join(import.meta.dirname, '../../dist')

export interface Turn {
  /** Milliseconds of the processor. */
  longest: number
  /** Of these, those of the collector. */
  collected: number
  /** Milliseconds that a work took behind it which is always the same. */
  pace: number
}

/** A server in a process of its own, which tells how long its turns took. */
export interface Server {
  url: string
  /** Its longest turn since it was asked last. */
  longestTurn(): Promise<Turn>
  stop(): Promise<void>
}

export async function start(settings: Readonly<Record<string, string>>): Promise<Server> {
  const execArgv = ['--import', join(import.meta.dirname, '../ground/loop-delay.mjs')]
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
