import { describeJsonFailure } from '../../contract/failures.ts'
import { ControlError } from '../../tools/control-client/errors.ts'
import type { WorldClient } from '../../tools/control-client/world-client.ts'
import { clientOptions, withWorld } from './client.ts'
import { flag, parseCommand, text, UsageError } from '../arguments.ts'
import { type CommandOutput, exitCodes, readText, refuseExisting, show, writeResult } from '../input-output.ts'
import { readJsonOrText } from '../../contract/records/decoded-text.ts'

/** Checks the server, its engines and the world; `--live` checks the process alone, as the image does. */
export async function health(args: string[], { stdout, stderr }: CommandOutput): Promise<number> {
  const { values } = parseCommand(args, { ...clientOptions, live: flag })
  const word = values.live ? 'live' : 'ready'
  try {
    await withWorld(values, (world) => world[word]())
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 503) throw error
    stderr.write(`not ready: ${error.message}\n`)
    return exitCodes.findings
  }
  stdout.write(values.json ? `{"${word}":true}\n` : `${word}\n`)
  return exitCodes.ok
}

export async function emit(args: string[], { stdout }: CommandOutput): Promise<number> {
  const options = { ...clientOptions, component: text, unit: text, force: flag }
  const names = ['DEVICE', 'CAPABILITY', 'ATTRIBUTE', 'VALUE']
  const { values, words } = parseCommand(args.map(shieldNumber), options, names)
  const [deviceId = '', capability = '', attribute = '', value = ''] = words
  const { component, unit, force } = values
  const change = { capability, attribute, value: readJsonOrText(value), component, unit, force }
  const emitted = async (world: WorldClient) => {
    stdout.write(`${JSON.stringify(await world.events.emit(deviceId, change))}\n`)
    return exitCodes.ok
  }
  return withWorld(values, emitted, [...names, '--component', '--unit'])
}

export async function advance(args: string[], output: CommandOutput): Promise<number> {
  const { values, words } = parseCommand(args.map(shieldNumber), clientOptions, ['DURATION'])
  const [given = ''] = words
  const duration = given.trim()
  if (duration.startsWith('-')) throw new UsageError(`${duration} would go back: the clock advances forward only`)
  const moved = async (world: WorldClient) => {
    const move = await world.clock.advance(/^\d+$/.test(duration) ? Number(duration) : duration)
    show(move, values.json, output, ({ now }) => `${new Date(now).toISOString()}\n`)
    if (!values.json && move.due > 0) output.stderr.write(`${move.due} thing${move.due === 1 ? '' : 's'} fell due\n`)
    return exitCodes.ok
  }
  return withWorld(values, moved, ['DURATION'])
}

export async function reset(args: string[], { stdout, stderr }: CommandOutput): Promise<number> {
  const { values } = parseCommand(args, clientOptions)
  return withWorld(values, async (world) => {
    await world.reset()
    if (values.json) stdout.write(`${JSON.stringify({ world: world.name })}\n`)
    else stderr.write(`the world ${world.name} is as it was at its start\n`)
    return exitCodes.ok
  })
}

export async function snapshot(args: string[], output: CommandOutput): Promise<number> {
  const { values } = parseCommand(args, { ...clientOptions, out: text, restore: text })
  if (values.out !== undefined && values.restore !== undefined) throw new UsageError('--out or --restore, not both')
  refuseExisting(values.out)
  return withWorld(values, async (world) => {
    if (values.restore !== undefined) {
      await world.restore(await readJsonText(values.restore))
      output.stderr.write(`the world ${world.name} is as ${values.restore} says\n`)
      return exitCodes.ok
    }
    const taken = await world.snapshot()
    await writeResult(taken, values.out, output)
    if (values.out !== undefined && values.out !== '-') {
      output.stderr.write(`the world ${world.name} is in ${values.out}, ${Buffer.byteLength(taken)} bytes\n`)
    }
    return exitCodes.ok
  })
}

/** The server would tell of a body, and the user has a file. */
async function readJsonText(file: string): Promise<string> {
  const given = await readText(file)
  try {
    JSON.parse(given.replace(/^\ufeff/, ''))
    return given
  } catch (error) {
    throw new UsageError(`cannot restore ${file}: ${describeJsonFailure(given, error as Error)}`)
  }
}

/** A negative number would be taken for an option; JSON ignores a space before it. */
function shieldNumber(word: string): string {
  return /^-[\dP][\w.]*$/.test(word) ? ` ${word}` : word
}
