import pg from 'pg'

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

export class Lost extends Error {}

/** Some of its own refusals are about its coming and going, about being the second, or about who may come in at all. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57P0|08|28|3D|53300|25P03|25006)/.test(codeOf(error))
  return error instanceof Lost || (error instanceof Error && UNREACHABLE.test(`${codeOf(error)} ${error.message}`))
}

const UNREACHABLE = /timeout|terminated|not queryable|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN/i

/** No room on disk, in memory or for locks, or a broken disk: it is there, and reads may go on. */
export function isOverburdened(error: unknown): boolean {
  return /^(53(?!300)|58)/.test(codeOf(error))
}

/** Too slow, or somebody has told it to: it is there, and has undone what it was about. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** Another transaction has changed what this one has read, or each waits for the other. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}
