import { toLinePart } from './printable.ts'
import type { JournalEntry } from './types.ts'

/** Not imported from the contract, because the test libraries would then contain all schemas. */
const soapOperations: readonly unknown[] = ['createServiceToken', 'getSubscriptionStatus']

/**
 * Example: `2026-05-06T16:04:31.120Z GET /stg/us/guest/zipCode?zipCode=00000  404  1.2 ms  NotFoundError: zip code 00000
 * is not in use (document 1, operation 30)`.
 */
export function toLine(entry: JournalEntry): string {
  const { at, kind, method, path, query, status, aborted, durationMs, caller, why, ignored = [], frame } = entry
  if (frame?.event === 'STREAM_END') return `${toLinePart(`${at} stream ended: ${String(frame.data)}`)}\n`
  if (kind === 'frame') return `${toLinePart(`${at} frame ${frame?.event ?? ''} ${JSON.stringify(frame?.data)}`)}\n`
  const address = `${path}${query === undefined ? '' : `?${query}`}`
  // Both SOAP operations have the same address.
  const soap = soapOperations.includes(entry.operation) ? ` ${entry.operation}` : ''
  const parts = [`${method?.padEnd(6)} ${address}${soap}`]
  // A request without a response has no meaningful duration.
  parts.push(...(status === undefined ? ['unanswered'] : [String(status), `${durationMs ?? 0} ms`]))
  if (aborted) parts.push('broke off')
  if (caller !== undefined) parts.push(caller)
  if (why) parts.push(`${why.code}: ${why.message}${describeCause(why)}`)
  if (entry.faults && why?.code !== 'Fault') parts.push(`fault: ${entry.faults.join(', ')}`)
  const [unknown, unmatched] = [ignored.filter((each) => !each.value), ignored.filter((each) => each.value)]
  if (unknown.length > 0) parts.push(`ignored: ${unknown.map(toIgnored).join(', ')}`)
  if (unmatched.length > 0) parts.push(`matches nothing: ${unmatched.map(toIgnored).join(', ')}`)
  return `${toLinePart(`${at} ${parts.join('  ')}`)}\n`
}

/** The first finding, unless the message contains it, and the rule. Declared messages omit the invalid value. */
function describeCause({ message, source, findings: [first] }: NonNullable<JournalEntry['why']>): string {
  const finding = first && !message.includes(first.message) ? [first.message] : []
  const rule = source ?? first?.source
  const known = [...finding, ...(rule === undefined ? [] : [rule])]
  return known.length === 0 ? '' : ` (${known.join('; ')})`
}

function toIgnored({ name, value, near }: NonNullable<JournalEntry['ignored']>[number]): string {
  return name + (value === undefined ? '' : ` ${value}`) + (near === undefined ? '' : ` (near ${near})`)
}
