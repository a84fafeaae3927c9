import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Users run the bundle, so tests run it too. `build.ts` creates it. */
const BUNDLE = ['dist/main.js']

export interface ServerProcess {
  url: string
  process: ChildProcess
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** `before` is a program that starts the process, such as `prlimit`, with its arguments. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  { before = [], program = BUNDLE }: { before?: readonly string[]; program?: readonly string[] } = {},
): Promise<ServerProcess> {
  const [command = '', ...args] = [...before, process.execPath, ...program]
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const url = await readAddress(child)
  return {
    url,
    process: child,
    async stop(signal) {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

class StartFailure extends Error {
  readonly code: number
  constructor(code: number, said: string) {
    super(said)
    this.code = code
  }
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer) => {
      text += chunk
      const [address] = /https?:\/\/[\w.:[\]]+:\d+(?!\d|$)/.exec(text) ?? []
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    // Node may emit `exit` before the last output has arrived.
    child.once('close', (code) => reject(new StartFailure(code ?? -1, text)))
  })
}
