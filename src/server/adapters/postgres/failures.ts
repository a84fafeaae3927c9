import pg from 'pg'

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

export class Lost extends Error {}

/** Includes errors of a server that is starting, is stopping, is a standby, or does not accept this user. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57P0|08|28|3D|25P03|25006)/.test(codeOf(error))
  return error instanceof Lost || (error instanceof Error && UNREACHABLE.test(`${codeOf(error)} ${error.message}`))
}

const UNREACHABLE = /timeout|terminated|not queryable|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN/i

/** Out of space, memory, locks or connections, or a disk error. Other statements may still succeed. */
export function isOverburdened(error: unknown): boolean {
  return /^(53|58)/.test(codeOf(error))
}

/** Whether the database cancelled a statement, for example because it was too slow. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** Includes deadlocks. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}
