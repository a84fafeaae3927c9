/** Work runs one at a time in order of arrival. A failure does not stop later work. */
export type SerialQueue = <T>(work: () => Promise<T> | T) => Promise<T>

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
