import { toLinePart } from '../tools/control-client/printable.ts'
import { findNearest } from '../contract/records/nearest.ts'
import { UsageError } from './arguments.ts'
import { type CommandOutput, exitCodes } from './input-output.ts'

type Run = (args: string[], output: CommandOutput) => Promise<number>

export interface Command {
  usage: string
  summary: string
  /** `--help` shows this line behind the program's name, to be pasted. */
  example?: string | undefined
  /** Loaded only for `--help`. Without it the command tells of itself. */
  options?: () => Promise<readonly string[]>
  /** Loaded only for completion. */
  commands?: () => Promise<Commands>
  /** Loaded when it is asked for: `health` must not pay for the server. */
  load: () => Promise<Run>
}

export type Commands = Readonly<Record<string, Command>>

/** `program` is the text before the name. Gives the exit code. */
export async function dispatch(
  { program, commands, options: words = [] }: { program: string; commands: Commands; options?: readonly string[] },
  [name = '', ...rest]: readonly string[],
  output: CommandOutput,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name]! : undefined
  if (!command) {
    const nearest = findNearest(name, [...Object.keys(commands), ...words])
    output.stderr.write(`${program}: there is no command ${name}${nearest ? `; did you mean ${nearest}?` : ''}\n`)
    output.stderr.write(`Try: ${program} --help\n`)
    return exitCodes.usage
  }
  const { usage, summary, example, options, load } = command
  if (options && asksForHelp(rest)) {
    const lines = align(await options()).map((line) => `  ${line}\n`)
    const pasted = example === undefined ? '' : `\nExample: ${program} ${example}\n`
    return print(output, `${summary}.\n\nUsage: ${program} ${usage}\n\n${lines.join('')}${pasted}`)
  }
  try {
    return await (await load())(rest, output)
  } catch (error) {
    return explain(error as Error, `${program} ${usage}`, output)
  }
}

/** The user can mend a refusal, which is told in plain words; a defect of ours keeps its stack. */
function explain(error: Error, usage: string, { stderr }: CommandOutput): number {
  if (error instanceof UsageError) {
    stderr.write(`vendor-cloud: ${toLinePart(error.message).slice(0, LONGEST)}\nUsage: ${usage}\n`)
    return exitCodes.usage
  }
  if (!['ConfigError', 'StartError', 'ControlError'].includes(error.name)) throw error
  const { status = 0, code } = error as { status?: number; code?: string }
  // A refusal is about the command; a failure is the server's own.
  const failed = status >= 500 ? `the server answered ${status}: ` : ''
  const message = error.name === 'ControlError' ? toLinePart(error.message).slice(0, LONGEST) : error.message
  stderr.write(`vendor-cloud: ${failed}${message}\n`)
  return error.name === 'ConfigError' || code === 'NotVendorCloud' ? exitCodes.usage : exitCodes.findings
}

/** A message may come from anywhere and have any length. */
const LONGEST = 1000

/** A line without two blanks is a sentence of its own. */
function align(lines: readonly string[]): string[] {
  const rows = lines.map((line) => line.split(/ {2,}(.*)/s, 2))
  const width = Math.max(...rows.map(([option = '', meaning]) => (meaning === undefined ? 0 : option.length)))
  return rows.map(([option = '', meaning]) => (meaning === undefined ? option : `${option.padEnd(width)}  ${meaning}`))
}

/** Words behind `--` belong to another command. */
function asksForHelp(words: readonly string[]): boolean {
  const help = words.findIndex((word) => word === '--help' || word === '-h')
  return help >= 0 && !words.slice(0, help).includes('--')
}

export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

export function print({ stdout }: CommandOutput, text: string): number {
  stdout.write(text)
  return exitCodes.ok
}

export function summarize(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  return Object.entries(commands)
    .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`)
    .join('')
}
