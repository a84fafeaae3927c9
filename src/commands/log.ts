import { type Logger, pino } from 'pino'
import { toLinePart, toPrintable } from '../tools/control-client/printable.ts'
import type { Config } from '../server/config.ts'
import type { CommandOutput } from './input-output.ts'

/** Lines for people on a terminal, one JSON object a line elsewhere, unless LOG_FORMAT says which. */
export function createLogger(config: Config, { stdout }: Pick<CommandOutput, 'stdout'>): Logger {
  const { LOG_LEVEL: level, LOG_FORMAT: format = stdout.isTTY ? 'text' : 'json' } = config
  // JSON escapes but a part of what steers a terminal.
  if (format === 'json') return pino({ level, ...(stdout.isTTY && { hooks: { streamWrite: toPrintable } }) })
  return pino({ level, base: null }, { write: (line) => stdout.write(toText(JSON.parse(line))) })
}

interface Line {
  time: number
  level: number
  msg?: string
  method?: string
  path?: string
  operation?: number | string
  status?: number
  ms?: number
  caller?: string
  reason?: string
  rule?: string
  traceId?: string
  err?: { stack?: string }
}

/** `16:04:31 GET    /stg/us/guest/zipCode  404     1.2 ms  guest  no such zip code (document 1, operation 30)`. */
export function toText({
  time,
  level,
  msg,
  method,
  path,
  operation,
  status,
  ms,
  caller,
  reason,
  rule,
  traceId,
  err,
}: Line): string {
  const at = new Date(time).toTimeString().slice(0, 8)
  if (method === undefined) {
    return toPrintable(`${at} ${pino.levels.labels[level]}: ${msg ?? ''}${err?.stack ? `\n${err.stack}` : ''}\n`)
  }
  const parts = [`${method.padEnd(6)} ${path}`, String(status), `${ms?.toFixed(1)} ms`]
  // Of a caller that no document names the operation says more.
  const who = caller === 'other' ? nameOperation(operation) : caller
  if (who !== undefined) parts.push(who)
  if (reason !== undefined) parts.push(rule === undefined ? reason : `${reason} (${rule})`)
  if (traceId !== undefined) parts.push(`trace ${traceId}`)
  return `${toLinePart(`${at} ${parts.join('  ')}`)}\n`
}

function nameOperation(operation: Line['operation']): string | undefined {
  return typeof operation === 'number' || /^\d+$/.test(operation ?? '') ? `operation ${operation}` : operation
}
