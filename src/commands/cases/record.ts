import { spawn } from 'node:child_process'
import { environmentWith } from '../../server/config.ts'
import { clientOptions, withWorld } from '../client/client.ts'
import { flag, parseRunner, text, UsageError } from '../arguments.ts'
import { type CommandOutput, exitCodes, refuseExisting, writeResult } from '../input-output.ts'

/** Runs a command against a world of its own, which is recorded, and writes the case; gives the command's exit code. */
export async function record(args: string[], output: CommandOutput): Promise<number> {
  const { values, command } = parseRunner(args, { ...clientOptions, out: text, whole: flag })
  if (values.out === undefined) throw new UsageError('--out FILE is missing')
  const [program, ...words] = command
  if (program === undefined) throw new UsageError('-- COMMAND is missing')
  refuseExisting(values.out)
  const { url, key, world: from, out, whole } = values
  return withWorld({ url, key }, async (server) => {
    const world = await server.world(from === undefined ? {} : { from })
    try {
      await world.recording.start()
      const code = await run(program, words, world.url)
      const text = await world.recording.read({ whole })
      await writeResult(text, out, output)
      return code
    } finally {
      await world.delete()
    }
  })
}

function run(program: string, words: readonly string[], address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit', env: environmentWith({ VENDOR_CLOUD_URL: address }) })
    child.once('error', (error) => reject(new UsageError(`${program} cannot be run: ${error.message}`)))
    child.once('exit', (code) => resolve(code ?? exitCodes.findings))
  })
}
