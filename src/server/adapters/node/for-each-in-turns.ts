import { nodeTurns } from './turns.ts'

/** Other work goes on in between. An await for each item would cost more than most visits. */
export async function forEachInTurns<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  for (const item of items) {
    visit(item)
    const turn = nodeTurns.give()
    if (turn) await turn
  }
}
