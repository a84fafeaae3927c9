import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { toLinePart } from '#tools/client/printable.ts'
import { type CommandOutput, exitCodes, UsageError } from './input-output.ts'

export interface OptionSpec {
  about: string
  /** Name of the value. An option without it is a flag. A value in brackets can be omitted, which means `all`. */
  takes?: string
  many?: true
  required?: true
  default?: string
}

type Options = Readonly<Record<string, OptionSpec>>
type Value<O extends OptionSpec> = O extends { takes: string }
  ? O extends { many: true }
    ? string[]
    : string
  : boolean
type Present<O extends Options> = {
  [K in keyof O]: O[K] extends { required: true } | { default: string } ? K : never
}[keyof O]
type Values<O extends Options> = { [K in Present<O>]: Value<O[K]> } & {
  [K in Exclude<keyof O, Present<O>>]?: Value<O[K]> | undefined
}

interface CommandSpec<O extends Options> {
  words?: Readonly<Record<string, string>>
  options: O
  example: string
  notes?: string
  /** Resolves with the exit code. `words` contains the arguments, including those after `--`. */
  run(given: { values: Values<O>; words: string[] }, output: CommandOutput): Promise<number>
}

export interface LoadedCommand {
  configure(command: Command, output: CommandOutput, end: (code: number) => void): void
}

export interface CommandEntry {
  summary: string
  /** Called only for the command that is used, so that `health` does not load the server. */
  load?: () => Promise<LoadedCommand>
  commands?: Commands
}

export type Commands = Readonly<Record<string, CommandEntry>>

export function defineCommand<const O extends Options>(spec: CommandSpec<O>): CommandSpec<O> & LoadedCommand {
  return {
    ...spec,
    configure(command, output, end) {
      for (const [word, about] of Object.entries(spec.words ?? {})) command.argument(word, about)
      const options = Object.entries(spec.options).map(([name, option]) => [name, toOption(name, option)] as const)
      for (const [, option] of options) command.addOption(option)
      if (spec.notes !== undefined) command.addHelpText('after', `\n${spec.notes}`)
      command.addHelpText('after', `\nExample: npx --no vendor-cloud ${spec.example}`)
      command.action(async () => {
        const values = options.map(([name, option]) => [name, command.getOptionValue(option.attributeName())] as const)
        end(await spec.run({ values: Object.fromEntries(values) as Values<O>, words: command.args }, output))
      })
    },
  }
}

function toOption(name: string, { about, takes, many, required, default: value }: OptionSpec): Option {
  const isOptional = takes?.startsWith('[')
  const option = new Option(takes === undefined ? `--${name}` : `--${name} ${isOptional ? takes : `<${takes}>`}`, about)
  if (isOptional) option.preset('all')
  if (takes !== undefined && !isOptional) {
    option.argParser((given, before: unknown) => {
      if (given.startsWith('--')) throw new InvalidArgumentError('')
      return many ? [...(Array.isArray(before) ? before : []), given] : given
    })
  }
  if (value !== undefined) option.default(value, value)
  return option.makeOptionMandatory(required ?? false)
}

interface Program {
  description: string
  version: () => Promise<string>
  commands: Commands
}

/** Resolves with exit code 0 for success, 1 for failure, and 2 if the command cannot run as called. */
export async function runProgram(program: Program, words: readonly string[], output: CommandOutput): Promise<number> {
  let code: number = exitCodes.ok
  const root = new Command('vendor-cloud')
    .description(program.description)
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .helpOption('-h, --help', 'Print help')
    .configureOutput({
      writeOut: (text) => output.stdout.write(text),
      writeErr: (text) => output.stderr.write(text),
      outputError: (text, write) => write(`vendor-cloud: ${toOneLine(text, optionsOf(root))}\n`),
    })
    .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 usage error.')
    .version(words.includes('--version') ? await program.version() : '', '--version', 'Print the version')
  const used = await addCommands(root, program.commands, words, output, (ended) => (code = ended))
  try {
    // For an unknown command, the help option is removed, because commander would print help instead of the error.
    const isHelp = (word: string) => ['-h', '--help'].includes(word)
    const parsed = areKnown(words, program.commands) ? words : words.filter((word) => !isHelp(word))
    await root.parseAsync(parsed, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) return explain(error as Error, used, output)
    if (error.exitCode === 0) return exitCodes.ok
    if (error.code !== 'commander.help') output.stderr.write(toHint(used))
    return exitCodes.usage
  }
}

/** Configures the command that is named in the arguments. Returns its full name. */
async function addCommands(
  parent: Command,
  commands: Commands,
  [word = '', ...rest]: readonly string[],
  output: CommandOutput,
  end: (code: number) => void,
): Promise<string> {
  for (const [name, { summary }] of Object.entries(commands))
    parent.command(name).description(summary).helpCommand(false)
  const used = parent.commands.find((command) => command.name() === word)
  if (!used) return nameOf(parent)
  const { load, commands: further = {} } = commands[word]!
  if (load) (await load()).configure(used, output, end)
  return addCommands(used, further, rest, output, end)
}

function areKnown([word, ...rest]: readonly string[], commands: Commands = {}): boolean {
  if (word === undefined || word.startsWith('-') || Object.keys(commands).length === 0) return true
  return Object.hasOwn(commands, word) && areKnown(rest, commands[word]!.commands)
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

/** Commander writes `error: unknown option '--prot'`, and a suggestion on a separate line. */
function toOneLine(text: string, known: readonly string[]): string {
  const [, unknown] = /unknown option '([^']*)'$/.exec(text.trim()) ?? []
  const start = known.find((option) => unknown?.startsWith(`${option}-`))
  const sentence = (start === undefined ? text : `${text.trim()}\n(Did you mean ${start}?)`)
    .replace(/^error: /, '')
    .replace('\n(Did you', ' (did you')
    .trim()
  const named = sentence.replace(/'([^']*)'/g, '$1')
  return cut(
    named
      .replace(/^option (--\S+) <(.+)> argument missing$/, '$1 needs a value: $1 $2')
      .replace(/^option (--\S+) <(.+)> argument (--.*) is invalid\.$/, '$1 needs a value before $3: $1 $2'),
  )
}

/** Returns all long options. At this time, only the command that is called has its options. */
const optionsOf = ({ options, commands }: { options: readonly Option[]; commands: readonly Command[] }): string[] => [
  ...options.flatMap(({ long }) => long ?? []),
  ...commands.flatMap(optionsOf),
]

/** The hint has `help` after the program name, because `npx` would interpret an option there as its own. */
const toHint = (used: string) => `Try: npx --no ${used.includes(' ') ? `${used} --help` : `${used} help`}\n`

/** An error that the user can fix is a `UsageError`. An unexpected error is thrown with its stack. */
function explain(error: Error, used: string, { stderr }: CommandOutput): number {
  if (error instanceof UsageError) {
    stderr.write(`vendor-cloud: ${cut(error.message)}\n${toHint(used)}`)
    return exitCodes.usage
  }
  if (!['ConfigError', 'StartError', 'ControlError'].includes(error.name)) throw error
  const { status = 0, code } = error as { status?: number; code?: string }
  // Below 500, the error concerns the command: with 400, an argument is invalid. From 500 on, the server failed.
  const failed = status >= 500 ? `the server responded with ${status}: ` : ''
  const message = error.name === 'ControlError' ? cut(error.message) : error.message
  stderr.write(`vendor-cloud: ${failed}${message.replaceAll('\n', '\nvendor-cloud: ')}\n`)
  return error.name === 'ConfigError' || code === 'NotVendorCloud' || status === 400
    ? exitCodes.usage
    : exitCodes.findings
}

/** Messages may contain untrusted text of any length. */
const cut = (message: string) => toLinePart(message).slice(0, 1000)
