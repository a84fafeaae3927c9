import { toLinePart } from './printable.ts'
import type { JournalEntry } from './types.ts'

/** `2026-05-06T16:04:31.120Z GET /stg/us/guest/zipCode?zipCode=00000 404 1.2 ms guest: there is no such zip code`. */
export function toLine(entry: JournalEntry): string {
  const { kind, method, path, query, status, aborted, durationMs, caller, why, ignored = [], frame } = entry
  const where = whenAndWhere(entry)
  if (kind === 'frame') return `${toLinePart(`${where} frame ${frame?.event ?? ''} ${JSON.stringify(frame?.data)}`)}\n`
  const address = `${path}${query === undefined ? '' : `?${query}`}`
  const parts = [`${method?.padEnd(6)} ${address}`, String(status ?? 'unanswered'), `${durationMs ?? 0} ms`]
  if (aborted) parts.push('broke off')
  if (caller !== undefined) parts.push(caller)
  if (why) parts.push(`${why.code}: ${why.message}`)
  if (ignored.length > 0) parts.push(`ignored: ${ignored.map(toIgnored).join(', ')}`)
  return `${toLinePart(`${where} ${parts.join('  ')}`)}\n`
}

/** Where there are several instances, the line names one. */
export function whenAndWhere({ at, instance }: JournalEntry): string {
  return instance === undefined ? at : `${at} ${instance}`
}

function toIgnored({ name, near }: NonNullable<JournalEntry['ignored']>[number]): string {
  return near === undefined ? name : `${name} (near ${near})`
}
