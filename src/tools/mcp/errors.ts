import { ControlError } from '../client/errors.ts'
import { toLinePart } from '../client/printable.ts'

/** The message is one sentence that says how the agent fixes its call. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** A longer sentence would fill the agent's context. */
const LONGEST = 1000

/** Undefined for a resource that an existing world does not have. */
export function ifPresent<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    const isAbsent = error instanceof ControlError && error.status === 404
    if (isAbsent && !error.message.startsWith('no world is named')) return undefined
    throw error
  })
}

/** The arguments that fill fields of the control API under other names. `body` is the whole body. */
export type Arguments = Readonly<Record<string, string>>

/** The tool, or resource, that does what a resource of the control API does. */
const tools: Readonly<Record<string, string>> = {
  worlds: 'the tool world',
  reset: 'the tool world with action reset',
  recordings: 'the tool case with action record',
  faults: 'the tool disturb',
  outbox: 'the tool happen with action mails',
  status: 'the resource vendor-cloud://people',
}

/** Errors of the server name calls of the control API, which agents make by tools. */
export function inToolWords(text: string): string {
  return text
    .replace(/\b[A-Z]+ \/_control\/(\w+)/g, (call, resource: string) => tools[resource] ?? call)
    .replace('lists them, POST makes one', 'lists them and makes one')
}

/** An internal error gives its message and never its stack. */
export function toSentence(error: unknown, args: Arguments = {}): string {
  if (error instanceof ControlError) return toLine(describeRejection(error, args))
  if (error instanceof ToolError) return toLine(error.message)
  const { name = 'Error', message = String(error) } = error as Partial<Error>
  if (name === 'TimeoutError' || name === 'AbortError') return 'nothing was answered in time'
  const known = ['UsageError', 'UnusableCase', 'StartError', 'ConfigError', 'TooManyJobs', 'TypeError']
  // The command names an option where the tool has an argument.
  return toLine(known.includes(name) ? message.replace(/(^|\s)--([a-z]+)/g, '$1$2') : `this failed: ${message}`)
}

function describeRejection({ code, message }: ControlError, args: Arguments): string {
  if (code === 'Unreachable') {
    return `${message}; what was kept in its memory is gone with it, and the tools go on when it is started again`
  }
  // Tools have arguments where the control API has a body and a query.
  return inToolWords(message).replace(
    /(?<=^|; )(body|query|path)(?:\.(\w+))?(?![\w-])/g,
    (_, part: string, field?: string) => {
      const whole = part === 'body' ? args['body'] : undefined
      if (field === undefined) return whole ?? 'the input'
      return whole === undefined ? (args[field] ?? field) : `${whole}.${field}`
    },
  )
}

function toLine(text: string): string {
  const line = toLinePart(text)
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
}
