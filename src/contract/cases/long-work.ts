/** Work on a long text rests at each `yield`, so that whoever drives it may let others go first. */
export type Work<T> = Generator<undefined, T, undefined>

export function finish<T>(work: Work<T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** `giveWay` gives something to await only where others wait. */
export async function finishInTurns<T>(work: Work<T>, giveWay: () => Promise<void> | undefined): Promise<T> {
  let step = work.next()
  while (!step.done) {
    const turn = giveWay()
    if (turn) await turn
    step = work.next()
  }
  return step.value
}
