import { ControlError } from '../client/errors.ts'
import { toLinePart } from '../client/printable.ts'

/** An error whose message is one sentence that says how to fix the call. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Maximum length of a message in characters. A longer message would fill the agent's context. */
const LONGEST = 1000

/** Resolves with undefined if the world exists but does not have the resource. */
export function ifPresent<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    const isAbsent = error instanceof ControlError && error.status === 404
    if (isAbsent && !/^world \S+ does not exist/.test(error.message)) return undefined
    throw error
  })
}

/** Maps fields of the control API to arguments of the tool. `body` is the argument for the entire body. */
export type Arguments = Readonly<Record<string, string>>

/** For each resource of the control API, the MCP tool or resource to use instead. */
const tools: Readonly<Record<string, string>> = {
  worlds: 'the tool `world`',
  reset: 'the tool `world` with the action `reset`',
  recordings: 'the tool `case` with the action `record`',
  faults: 'the tool `inject_fault`',
  journal: 'the tool `journal`',
  streams: 'the tool `inject_fault` with the action `list`',
  outbox: 'the tool `trigger_event` with the action `outbox`',
  status: 'the resource vendor-cloud://people',
  tokens: 'the resource vendor-cloud://people',
}

export function toToolError(text: string): string {
  return text
    .replace(/\b[A-Z]+ (?:\/w\/[\w-]+)?\/_control\/(\w+)[\w/-]*/g, (call, resource: string) => tools[resource] ?? call)
    .replace('` lists the entries', '` lists the entries. Pass `world` for another world')
    .replace('lists them, POST creates one', 'lists them and creates one')
    .replace(/people issues (?:another|one that has it)/, 'people lists others')
    .replace(', or whole milliseconds', '')
    .replaceAll('. the ', '. The ')
}

/** The result never contains a stack trace. */
export function toSentence(error: unknown, args: Arguments = {}): string {
  if (error instanceof ControlError) return toLine(describeRejection(error, args))
  if (error instanceof ToolError) return toLine(error.message)
  const { name = 'Error', message = String(error) } = error as Partial<Error>
  if (name === 'TimeoutError' || name === 'AbortError') return 'the server did not respond in time'
  const known = ['UsageError', 'UnusableCase', 'StartError', 'ConfigError', 'TooManyJobs', 'TypeError']
  // Messages of the command line name options, which are arguments of the tool.
  return toLine(known.includes(name) ? message.replace(/(^|\s)--([a-z]+)/g, '$1$2') : `the call failed: ${message}`)
}

function describeRejection({ code, status, message }: ControlError, args: Arguments): string {
  if (code === 'Unreachable') {
    const kept = 'Without DATA_DIR or DATABASE_URL, its data is lost'
    return `${message}. ${kept}. The tools work again after a restart`
  }
  if (status === 401) {
    const fix = 'Restart vendor-cloud mcp with --key or CONTROL_KEY'
    return `the server requires its key, and the key is missing or wrong. ${fix}`
  }
  // The control API reports fields of its body and query, but the tool has arguments.
  return toToolError(message).replace(
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
