import { ask, clientOptions, send } from './client.ts'
import { type CommandOutput, exitCodes, parseCommand, readText, UsageError, writeResult } from './command-line.ts'

const text = { type: 'string' } as const

/** Whether the server and what it needs answer: the image's health check. */
export async function health(args: string[], { stdout, stderr }: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, { url: text })
  expectWords(positionals, [])
  const { status, text: body } = await send(values, 'GET', '/health/ready')
  if (status === 200) stdout.write('ready\n')
  else stderr.write(`not ready: ${body}\n`)
  return status === 200 ? exitCodes.ok : exitCodes.findings
}

/** Changes a device's state and sends the event. */
export async function emit(args: string[], { stdout }: CommandOutput): Promise<number> {
  const words = args.map(shieldNumber)
  const { values, positionals } = parseCommand(words, {
    ...clientOptions,
    component: text,
    unit: text,
    force: { type: 'boolean' },
  })
  const [deviceId, capability, attribute, value] = expectWords(positionals, [
    'DEVICE',
    'CAPABILITY',
    'ATTRIBUTE',
    'VALUE',
  ])
  const { component, unit, force } = values
  const event = { capability, attribute, value: toValue(value!), component, unit, force }
  const path = `/_control/devices/${encodeURIComponent(deviceId!)}/events`
  stdout.write(`${(await ask(values, 'POST', path, JSON.stringify(event))).text}\n`)
  return exitCodes.ok
}

/** Moves the world's clock forward; what falls due has happened when it is done. */
export async function advance(args: string[], { stdout }: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, clientOptions)
  const [duration] = expectWords(positionals, ['DURATION'])
  const body = JSON.stringify({ duration: /^\d+$/.test(duration!) ? Number(duration) : duration })
  const { now } = JSON.parse((await ask(values, 'POST', '/_control/clock/advance', body)).text) as { now: string }
  stdout.write(`${now}\n`)
  return exitCodes.ok
}

/** The world as it was at its start. */
export async function reset(args: string[], _output: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, clientOptions)
  expectWords(positionals, [])
  await ask(values, 'POST', '/_control/reset')
  return exitCodes.ok
}

/** Takes the world as a file, or puts it where a file says. */
export async function snapshot(args: string[], output: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, { ...clientOptions, out: text, restore: text })
  expectWords(positionals, [])
  if (values.restore !== undefined) {
    await ask(values, 'PUT', '/_control/snapshot', await readText(values.restore))
    return exitCodes.ok
  }
  const { text: taken } = await ask(values, 'GET', '/_control/snapshot')
  await writeResult(taken, values.out, output)
  return exitCodes.ok
}

function expectWords(given: readonly string[], names: readonly string[]): readonly string[] {
  if (given.length > names.length) throw new UsageError(`${given.slice(names.length).join(' ')} is not expected`)
  if (given.length < names.length) throw new UsageError(`${names.slice(given.length).join(', ')} missing`)
  return given
}

/** A number below zero would be taken for an option; to JSON a space before it is nothing. */
function shieldNumber(word: string): string {
  return /^-\d+(\.\d+)?$/.test(word) ? ` ${word}` : word
}

/** `21.5`, `true` and `{"hue": 3}` are what they look like, anything else is text. */
function toValue(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
