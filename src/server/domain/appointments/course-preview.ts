import type { ComingMove } from '#contract/records/control/coming-move.ts'
import type { Ports } from '#server/ports.ts'
import { yielding } from '#server/ports/yielding.ts'
import { findNextMove } from './course-moves.ts'
import { findOpen } from './courses.ts'

/** Gives nothing where `ticket-progress` is off. */
export async function listComingMoves(
  { store, world }: Ports,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ items: ComingMove[]; totalCount: number }> {
  if (world.choices['ticket-progress'] === 'off') return { items: [], totalCount: 0 }
  const centers = new Map((await store.serviceCenters.find()).map((center) => [center.ascCode, center]))
  const coming: ComingMove[] = []
  for await (const request of yielding(await findOpen(store))) {
    const move = findNextMove(request, centers.get(request.ascCode ?? ''))
    const { srid, ticketNumber } = request
    if (move) coming.push({ at: new Date(move.at).toISOString(), srid, ticketNumber, move: move.name })
  }
  coming.sort((a, b) => a.at.localeCompare(b.at) || a.srid.localeCompare(b.srid))
  return { items: coming.slice(offset, offset + limit), totalCount: coming.length }
}
