import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Spent {
  /** CPU time in microseconds, including garbage collections. */
  cpu: number
  /** Garbage collections since the previous call. Durations are elapsed milliseconds. */
  collections: readonly { kind: number; duration: number }[]
}

/** A server in its own process, so that its CPU time can be measured. */
export interface MeasuredServer {
  address: string
  spent(): Promise<Spent>
  stop(): Promise<void>
}

export interface Program {
  program: string
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  execArgv?: readonly string[]
  log?: number | undefined
}

/** The program exits when the benchmark exits, even if the benchmark is killed. */
export async function startProgram({ program, args = [], env, execArgv = [], log }: Program): Promise<MeasuredServer> {
  const child: ChildProcess = fork(program, args, {
    execArgv: [...execArgv, '--import', join(import.meta.dirname, 'cpu-probe.mjs')],
    env: { ...process.env, ...env },
    stdio: ['ignore', log ?? 'ignore', 'inherit', 'ipc'],
  })
  const [{ address }] = await once(child, 'message')
  return {
    address,
    async spent() {
      child.send('spent')
      const [spent] = await once(child, 'message')
      return spent
    },
    async stop() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
