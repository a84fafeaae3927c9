/** Does one work at a time, in the order they came; one that fails stops none after it. */
export type SerialQueue = <T>(work: () => Promise<T> | T) => Promise<T>

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
