import type { Message, PlatformEvent } from '#server/ports/bus.ts'
import { createMemoryBus, type MemoryBus } from '../memory/bus.ts'
import { EventLog } from '../memory/event-log.ts'
import { refusal } from './data-file.ts'
import type { Database, Step } from './database.ts'
import { putEvent, readBody } from './rows.ts'

/** Number of events per read. It is small, so that other work can run between two reads. */
const SLICE = 500
/** Number of expired events that are deleted together, because deleting them one by one would take too long. */
const MAX_LEFT = 100

/** Stores events together with the changes that caused them. Sequence numbers continue after a restart. */
export interface DiskBus {
  bus: MemoryBus
  /** Returns the steps that store the events with the sequence numbers that `bus.deliver` will assign to them. */
  toSteps(messages: readonly Message[]): Step[]
}

export async function openDiskBus(file: Database, world: number): Promise<DiskBus> {
  const log = await readLog(file, world)
  let storedFrom = log.start
  return {
    bus: createMemoryBus(log),
    toSteps(messages) {
      const events = messages.flatMap((message) => ('event' in message ? [message.event] : []))
      const steps = events.map((event, i) => putEvent(world, log.head + 1 + i, event))
      if (log.start - storedFrom > MAX_LEFT) {
        storedFrom = log.start
        steps.push(['DELETE FROM events WHERE world = ? AND sequence <= ?', world, log.start])
      }
      return steps
    },
  }
}

/** If the first row of a world has no event, its sequence is the number before the first event. */
async function readLog(file: Database, world: number): Promise<EventLog> {
  const slice = `SELECT world, sequence, body, checksum FROM events WHERE world = ? AND sequence > ?
    ORDER BY sequence LIMIT ${SLICE}`
  let log: EventLog | undefined
  for (;;) {
    const rows = await file.read(slice, world, log?.head ?? -1)
    if (rows.length === 0) return log ?? new EventLog(0)
    for (const row of rows) {
      const [sequence, event] = [Number(row['sequence']), readEvent(file, row)]
      log ??= new EventLog(event ? sequence - 1 : sequence)
      if (event) log.append({ sequence, ...event })
    }
  }
}

function readEvent(file: Database, row: Parameters<typeof readBody>[0]): PlatformEvent | null {
  try {
    return readBody(row) as PlatformEvent | null
  } catch (error) {
    throw refusal(file.path, error)
  }
}
