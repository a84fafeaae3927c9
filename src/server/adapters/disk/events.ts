import type { PlatformEvent } from '../../ports/bus.ts'
import { type EventHistory, HISTORY_SLICE } from '../event-history.ts'
import { refusal } from './data-file.ts'
import type { Database, Step } from './database.ts'
import { putEvent, readBody } from './rows.ts'

/** `write` writes only as long as the world exists. */
export function createDiskEvents(
  file: Database,
  world: number,
  write: (...steps: Step[]) => Promise<void>,
): EventHistory {
  const columns = 'world, sequence, body, checksum'
  const later = 'world = ? AND sequence > ?'
  const slice = `SELECT ${columns} FROM events WHERE ${later} ORDER BY sequence LIMIT ${HISTORY_SLICE}`
  return {
    async readAfter(sequence) {
      const rows = await file.read(slice, world, sequence)
      try {
        return rows.map((row) => ({ sequence: Number(row['sequence']), event: readBody(row) as PlatformEvent | null }))
      } catch (error) {
        throw refusal(file.path, error)
      }
    },
    append(events, forget) {
      const steps = events.map(({ sequence, event }) => putEvent(world, sequence, event))
      if (forget === undefined) return write(...steps)
      return write(...steps, ['DELETE FROM events WHERE world = ? AND sequence <= ?', world, forget])
    },
  }
}
