import { ControlError } from '../client/errors.ts'
import { toLinePart } from '../client/printable.ts'

/** The message is one sentence that tells the agent how to mend its call. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** A longer sentence would fill the agent's context. */
const LONGEST = 1000

/** Errors of the control API speak of bodies and queries, which tools do not have; these words translate them. */
export interface Words {
  /** The argument that fills the whole body: with `fault`, `body.match` becomes `fault.match`. */
  whole?: string | undefined
  /** Maps a field to the argument of another name that fills it. */
  fields?: Readonly<Record<string, string>>
}

/** Maps phrases of the control API to those of tools. */
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

/** Keeps the sentence and exchanges its phrases. */
export function inToolWords(text: string): string {
  return phrases.reduce((words, [pattern, replacement]) => words.replace(pattern, replacement), text)
}

/** A failure of ours gives its message and never its stack. */
export function toSentence(error: unknown, words: Words = {}): string {
  if (error instanceof ControlError) return toLine(sayRefused(error, words))
  if (error instanceof ToolError) return toLine(error.message)
  const { name = 'Error', message = String(error) } = error as Partial<Error>
  if (name === 'TimeoutError' || name === 'AbortError') return 'nothing was answered in time'
  const known = ['UsageError', 'UnusableCase', 'StartError', 'ConfigError', 'TypeError']
  // The command names an option where the tool has an argument.
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
