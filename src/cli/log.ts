import { type Logger, pino } from 'pino'
import { toLinePart, toPrintable } from '#tools/client/printable.ts'
import type { Config } from '#server/config.ts'
import type { CommandOutput } from './input-output.ts'

/** Logs readable lines to a terminal and JSON elsewhere, unless LOG_FORMAT is set. */
export function createLogger(config: Config, { stdout }: Pick<CommandOutput, 'stdout'>): Logger {
  const { LOG_LEVEL: level } = config
  // JSON escapes only some of the characters that control a terminal.
  if (logFormatOf(config, stdout) === 'json')
    return pino({ level, ...(stdout.isTTY && { hooks: { streamWrite: toPrintable } }) })
  return pino({ level, base: null }, { write: (line) => stdout.write(toText(JSON.parse(line))) })
}

export function logFormatOf({ LOG_FORMAT }: Config, stdout: CommandOutput['stdout']): 'text' | 'json' {
  return LOG_FORMAT ?? (stdout.isTTY ? 'text' : 'json')
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
  aborted?: true
  caller?: string
  reason?: string
  rule?: string
  faults?: string[]
  traceId?: string
  err?: { name?: string; message?: string; stack?: string }
}

export function toText(line: Line): string {
  const { method, caller, reason, rule, faults, err } = line
  const at = new Date(line.time).toTimeString().slice(0, 8)
  if (method === undefined) {
    const label = pino.levels.labels[line.level]
    // While a store is unavailable, many requests log this error. Its stack does not help the operator.
    const cause = err?.name === 'Unavailable' ? err.message : reason
    const detail = cause !== undefined ? `: ${cause}` : err?.stack ? `\n${err.stack}` : ''
    return toPrintable(`${at} ${label}: ${line.msg ?? ''}${detail}\n`)
  }
  const parts = [`${method.padEnd(6)} ${line.path}`, String(line.status ?? 'unanswered'), `${line.ms?.toFixed(1)} ms`]
  if (line.aborted) parts.push('broke off')
  // If the caller is not one of the documented callers, the name of the operation is more informative.
  const who = caller === 'other' ? nameOperation(line.operation) : caller
  if (who !== undefined) parts.push(who)
  if (reason !== undefined) parts.push(rule === undefined ? reason : `${reason} (${rule})`)
  if (faults !== undefined) parts.push(`fault: ${faults.join(', ')}`)
  if (line.traceId !== undefined) parts.push(`trace ${line.traceId}`)
  return `${toLinePart(`${at} ${parts.join('  ')}`)}\n`
}

function nameOperation(operation: Line['operation']): string | undefined {
  return typeof operation === 'number' || /^\d+$/.test(operation ?? '') ? `operation ${operation}` : operation
}
