import pg from 'pg'

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

export class Lost extends Error {}

/** Some errors mean that the server starts, stops, is a standby, or does not admit this user. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57P0|08|28|3D|25P03|25006)/.test(codeOf(error))
  return error instanceof Lost || (error instanceof Error && UNREACHABLE.test(`${codeOf(error)} ${error.message}`))
}

const UNREACHABLE = /timeout|terminated|not queryable|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN/i

/** The database lacks space, memory, locks or connections, or its disk fails, while other work may continue. */
export function isOverburdened(error: unknown): boolean {
  return /^(53|58)/.test(codeOf(error))
}

/** The database rolled back a statement that was too slow or was cancelled. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** Another transaction changed what this one has read, or the two wait for each other. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}
