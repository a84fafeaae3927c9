/** Work runs one at a time in order of arrival; a failure stops nothing behind it. */
export type SerialQueue = <T>(work: () => Promise<T> | T) => Promise<T>

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
