import { type ParseArgsConfig, parseArgs } from 'node:util'
import { findNearest } from '../contract/records/nearest.ts'

export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const

/** The message is for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Throws a UsageError for any other name. */
export function oneOf<const N extends string>(name: string, known: readonly N[]): N {
  const found = known.find((each) => each === name)
  if (found === undefined) throw new UsageError(`${name} is none of ${known.join(', ')}`)
  return found
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Throws a UsageError for any other option or number of words. */
export function parseCommand<const O extends Options>(args: string[], options: O, names: readonly string[] = []) {
  const { values, positionals: words } = parse(args, options)
  if (words.length > names.length) throw new UsageError(`${words.slice(names.length).join(' ')} is not expected`)
  const needed = names.filter((name) => !name.startsWith('['))
  if (words.length < needed.length) throw new UsageError(`${needed.slice(words.length).join(', ')} missing`)
  return { values, words }
}

export function parseFileCommand<const O extends Options>(args: string[], options: O) {
  const { values, positionals } = parse(args, options)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('exactly one file is needed')
  return { values, file }
}

/** Words behind `--` belong to another command. */
export function parseRunner<const O extends Options>(args: string[], options: O) {
  const at = args.indexOf('--')
  const { values, positionals } = parse(at < 0 ? args : args.slice(0, at), options)
  if (positionals.length > 0) throw new UsageError(`${positionals.join(' ')} is not expected before --`)
  return { values, command: at < 0 ? [] : args.slice(at + 1) }
}

function parse<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args: joinValues(args, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, Object.keys(options)))
  }
}

/** A word such as `-x` is no option of ours, so it is the value of the option before it. */
function joinValues(args: readonly string[], options: Options): string[] {
  const takesValue = (word = '') => word.startsWith('--') && options[word.slice(2)]?.type === 'string'
  const isValue = (i: number) => /^-[^-]/.test(args[i]!) && takesValue(args[i - 1])
  return args.flatMap((word, i) => {
    if (i > 0 && isValue(i)) return []
    return i + 1 < args.length && isValue(i + 1) ? [`${word}=${args[i + 1]}`] : [word]
  })
}

/** Node's sentences explain escaping; people need the name of the option that they meant. */
function explain({ code, message }: NodeJS.ErrnoException, names: readonly string[]): string {
  const given = /'(-[^'\s]*)/.exec(message)?.[1] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const nearest = findNearest(given.replace(/^-+/, ''), names)
    return `there is no option ${given}${nearest ? `; did you mean --${nearest}?` : ''}`
  }
  const [option = message] = /--[a-z-]+/.exec(message) ?? []
  if (/ambiguous|argument missing/.test(message)) return `${option} needs a value`
  return /does not take an argument/.test(message) ? `${option} takes no value` : message
}
