import { ControlError } from '../control-client/errors.ts'
import { toLinePart } from '../control-client/printable.ts'

/** A call of a tool that cannot be answered; the message is one sentence for the agent. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Characters of a sentence. */
const LONGEST = 1000

/** How a tool calls what its sentences are about: it has no body, no query and no options. */
export interface Words {
  /** The argument that is the body as a whole, where one is: `fault` makes `fault.match` of `body.match`. */
  whole?: string | undefined
  /** Arguments with another name than the field that they fill. */
  fields?: Readonly<Record<string, string>>
}

/** Words of the control API for which a tool has its own. */
const phrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/GET \/_control\/worlds lists them, POST makes one/g, 'the tool world lists them and makes one'],
  [/\bGET \/_control\/worlds\b/g, 'the tool world'],
  [/POST \/_control\/recordings begins that/g, 'the tool case with action record begins that'],
  [/\bPOST \/_control\/reset\b/g, 'the tool world with action reset'],
  [/\bGET \/_control\/status names\b/g, 'the resource vendor-cloud://people names'],
  [/\ba fault of the control API \(POST \/_control\/faults\)/g, 'a fault that was provoked (the tool disturb)'],
  [/\bPOST \/_control\/faults\b/g, 'the tool disturb'],
  [/\bGET \/_control\/outbox\b/g, 'the tool happen with action mails'],
  [/\(force: true takes it\)/g, '(force true takes it)'],
]

/** The same sentence in the words of tools. */
export function inToolWords(text: string): string {
  return phrases.reduce((words, [pattern, replacement]) => words.replace(pattern, replacement), text)
}

/** One sentence of whatever failed; a failure of ours gives its message, never its stack. */
export function toSentence(error: unknown, words: Words = {}): string {
  if (error instanceof ControlError) return toLine(sayRefused(error, words))
  if (error instanceof ToolError) return toLine(error.message)
  const { name = 'Error', message = String(error) } = error as Partial<Error>
  if (name === 'TimeoutError' || name === 'AbortError') return 'nothing was answered in time'
  const known = ['UsageError', 'UnusableCase', 'StartError', 'ConfigError', 'TypeError']
  // An option of the command is an argument of the tool.
  return toLine(known.includes(name) ? message.replace(/(^|\s)--([a-z]+)/g, '$1$2') : `this failed: ${message}`)
}

function sayRefused({ code, message }: ControlError, { whole, fields = {} }: Words): string {
  if (code === 'Unreachable') {
    return `${message}; what was kept in its memory is gone with it, and the tools go on when it is started again`
  }
  return inToolWords(message).replace(
    /(^|; )(body|query|path)(?:\.(\w+))?(?![\w-])/g,
    (_, start: string, part: string, field?: string) => start + sayPlace(part === 'body' ? whole : undefined, field),
  )

  function sayPlace(argument: string | undefined, field: string | undefined): string {
    if (field === undefined) return argument ?? 'the input'
    return argument === undefined ? (fields[field] ?? field) : `${argument}.${field}`
  }
}

function toLine(text: string): string {
  const line = toLinePart(text)
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
}
