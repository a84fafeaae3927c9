import { ControlError } from '../control-client/errors.ts'
import { toLinePart } from '../control-client/printable.ts'

/** A call of a tool that cannot be answered; the message is one sentence for the agent. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Characters of a sentence. */
const LONGEST = 1000

/** Words of the control API for which a tool has its own. */
const phrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/GET \/_control\/worlds lists them, POST makes one/g, 'the tool world lists them and makes one'],
  [/\bGET \/_control\/worlds\b/g, 'the tool world'],
  [/POST \/_control\/recordings begins that/g, 'the tool case with action record begins that'],
  [/\bPOST \/_control\/reset\b/g, 'the tool world with action reset'],
  [/\bGET \/_control\/status names callers\b/g, 'the resource vendor-cloud://people names callers'],
]

/** One sentence of whatever failed; a failure of ours gives its message, never its stack. */
export function toSentence(error: unknown): string {
  if (error instanceof ControlError) return toToolWords(error.message)
  if (error instanceof ToolError) return toLine(error.message)
  const { name = 'Error', message = String(error) } = error as Partial<Error>
  if (name === 'TimeoutError' || name === 'AbortError') return 'nothing was answered in time'
  const known = ['UsageError', 'UnusableCase', 'StartError', 'ConfigError', 'TypeError']
  return toLine(known.includes(name) ? message : `this failed: ${message}`)
}

/** The control API's words, as one line that an agent can act on. */
function toToolWords(text: string): string {
  return toLine(phrases.reduce((words, [pattern, replacement]) => words.replace(pattern, replacement), text))
}

function toLine(text: string): string {
  const line = toLinePart(text)
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
}
