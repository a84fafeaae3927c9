import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import { findEnd } from '#contract/files/case.ts'
import { describeProgramFailure } from '#contract/failures.ts'
import { environmentWith } from '#server/config.ts'
import { addressOptions, withWorld } from '../client/client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, refuseExisting, UsageError, writeResult } from '../input-output.ts'

export const record = defineCommand({
  words: { '[COMMAND...]': 'the command and its arguments, after --' },
  options: {
    out: { takes: 'FILE', about: 'Write the case to this file; an existing file is not overwritten', required: true },
    whole: {
      about:
        'Store the full initial state instead of its difference from the fixtures, so that later versions can ' +
        'replay it',
    },
    world: { takes: 'NAME', about: 'Run the command on a fork of this world' },
    ...addressOptions,
  },
  example: 'record --out failing.jsonl -- npm test',
  async run({ values, words: [program, ...words] }, output) {
    if (!program) throw new UsageError('no command to run. Add it after --')
    refuseExisting(values.out)
    const { url, key, world: from, out, whole } = values
    return withWorld({ url, key }, async (server) => {
      const child = new InterruptibleCommand()
      try {
        const world = await server.world({ expiresIn: FORGOTTEN, ...(from !== undefined && { from }) })
        try {
          await world.recording.start()
          const code = await child.run(program, words, world.url)
          const text = await world.recording.read({ whole })
          const isEmpty = !/^\{"step":/m.test(text)
          if (!isEmpty) await writeResult(text, out, output)
          output.stderr.write(isEmpty ? describeNothing(program, world.url, text) : describe(text, out))
          return isEmpty ? code || exitCodes.findings : code
        } finally {
          await world.delete()
        }
      } finally {
        child.release()
      }
    })
  },
})

/** Seconds after which the world expires if `record` is killed. */
const FORGOTTEN = 604_800
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Passes signals on to the command. This process exits after the command has exited. */
class InterruptibleCommand {
  #child: ChildProcess | undefined
  #pending: NodeJS.Signals | undefined

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#handOn)
  }

  run(program: string, words: readonly string[], address: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const env = environmentWith({ VENDOR_CLOUD_URL: address })
      const child = spawn(program, words, { stdio: 'inherit', env })
      this.#child = child
      child.once('error', (error) => reject(new UsageError(`cannot run ${program}: ${describeProgramFailure(error)}`)))
      // Shells report a process that was killed by a signal with exit code 128 plus the number of the signal.
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
      if (this.#pending) child.kill(this.#pending)
    })
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#handOn)
  }

  #handOn = (signal: NodeJS.Signals): void => {
    // The terminal sends the first Ctrl-C to the command. A second one would make many commands quit immediately.
    const isSent = signal === 'SIGINT' && process.stdin.isTTY && this.#pending === undefined
    if (!isSent) this.#child?.kill(signal)
    this.#pending = signal
  }
}

function describeNothing(program: string, url: string, text: string): string {
  const why = `${program} sent nothing to ${url}. Send requests to the address in VENDOR_CLOUD_URL. `
  const own = 'Tests with vendor-cloud/vitest, jest or playwright use their own worlds and save their own cases'
  return `Recorded no steps${describeEnd(text) || `: ${why}${own}`}\n`
}

function describe(text: string, file: string): string {
  const steps = text.match(/^\{"step":/gm)?.length ?? 0
  const bytes = Buffer.byteLength(text)
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  const where = file === '-' ? 'standard output' : file
  return `Recorded ${steps} ${steps === 1 ? 'step' : 'steps'} to ${where} (${size})${describeEnd(text)}\n`
}

function describeEnd(text: string): string {
  const ended = findEnd(text)
  return ended === undefined ? '' : `; the recording ended before the command: ${ended}`
}
