import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nodeTurns } from '../../../../src/server/adapters/node/turns.ts'

/** Until who asks must wait. */
function work(): Promise<void> {
  for (;;) {
    const turn = nodeTurns.give()
    if (turn) return turn
  }
}

test('21 of all who wait for their turn one goes on in a turn of the event loop, in their order', async () => {
  let turn = 0
  const wentOn: number[][] = []
  const all = [0, 1, 2, 3, 4].map(async (i) => {
    await work()
    wentOn.push([i, turn])
  })
  while (wentOn.length < all.length) {
    turn++
    await nextTurn()
  }
  await Promise.all(all)
  expect(wentOn.map(([i]) => i)).toEqual([0, 1, 2, 3, 4])
  expect(new Set(wentOn.map(([, when]) => when)).size).toBe(5)
})
