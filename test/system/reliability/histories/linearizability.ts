/** A call by a client, and the result that the client observed. All times are from the same clock. */
export interface Operation<Call, Seen = unknown> {
  client: string
  call: Call
  /** Undefined if the effect is unknown. */
  seen?: Seen | undefined
  invoked: number
  /** Time of the response. Infinity if unknown. */
  completed: number
}

/** Defines how an object behaves if calls are made one after the other. */
export interface Model<State extends string | number, Call, Seen> {
  start: State
  /**
   * Returns the state after a call with this result. If the result is undefined, any result is possible. Returns
   * undefined if the call cannot have this result.
   */
  step(state: State, call: Call, seen: Seen | undefined): State | undefined
}

interface Reached<State> {
  state: State
  /**
   * All calls with a response before this index have taken effect. `beyond` contains the indexes of later calls that
   * have taken effect too.
   */
  frontier: number
  beyond: readonly number[]
  /** Calls without a response that have taken effect. */
  unanswered: readonly number[]
}

/**
 * Searches for an order in which each call takes effect between its start and its response. If there is such an order,
 * returns undefined. Otherwise, returns the first call that does not fit into any order of the calls before it. Uses
 * the algorithm of Wing and Gong with Lowe's cache of visited states.
 */
export function findViolation<State extends string | number, Call, Seen>(
  history: readonly Operation<Call, Seen>[],
  { start, step }: Model<State, Call, Seen>,
): Operation<Call, Seen> | undefined {
  const byInvocation = history.toSorted((a, b) => a.invoked - b.invoked)
  const answered = byInvocation.filter(({ completed }) => completed < Infinity)
  const open = byInvocation.filter(({ completed }) => completed === Infinity)
  const known = new Set<string>()
  const stack: Reached<State>[] = [{ state: start, frontier: 0, beyond: [], unanswered: [] }]
  let furthest = 0

  while (stack.length > 0) {
    const reached = stack.pop()!
    if (reached.frontier === answered.length) return undefined
    furthest = Math.max(furthest, reached.frontier)
    const { next, deadline } = nextCalls(answered, reached)
    for (const i of nextUnanswered(open, reached, deadline)) {
      const state = step(reached.state, open[i]!.call, undefined)
      if (state !== undefined) push({ ...reached, state, unanswered: [...reached.unanswered, i].sort((a, b) => a - b) })
    }
    for (const i of next) {
      const state = step(reached.state, answered[i]!.call, answered[i]!.seen)
      if (state !== undefined) push({ ...reached, state, ...advance(reached, i) })
    }
  }
  return answered[furthest]

  function push(reached: Reached<State>): void {
    const { state, frontier, beyond, unanswered } = reached
    const key = `${frontier}|${beyond.join()}|${unanswered.join()}|${state}`
    if (known.has(key)) return
    known.add(key)
    stack.push(reached)
  }
}

/** Returns the calls that can come next: those that started before any of the remaining calls ended. */
function nextCalls(
  answered: readonly Operation<unknown>[],
  { frontier, beyond }: Reached<unknown>,
): { next: number[]; deadline: number } {
  const next: number[] = []
  let deadline = Infinity
  for (let i = frontier; i < answered.length && answered[i]!.invoked <= deadline; i++) {
    if (beyond.includes(i)) continue
    next.push(i)
    deadline = Math.min(deadline, answered[i]!.completed)
  }
  return { next: next.filter((i) => answered[i]!.invoked <= deadline).toReversed(), deadline }
}

/**
 * Of several equal calls, only the oldest is tried. If an order that starts with another one is valid, an order that
 * starts with the oldest is valid too.
 */
function nextUnanswered(
  open: readonly Operation<unknown>[],
  { unanswered }: Reached<unknown>,
  deadline: number,
): number[] {
  const kinds = new Set<string>()
  return open.flatMap(({ call, invoked }, i) => {
    const kind = JSON.stringify(call)
    if (invoked > deadline || unanswered.includes(i) || kinds.has(kind)) return []
    kinds.add(kind)
    return [i]
  })
}

function advance({ frontier, beyond }: Reached<unknown>, done: number): Pick<Reached<unknown>, 'frontier' | 'beyond'> {
  const all = new Set([...beyond, done])
  let to = frontier
  while (all.delete(to)) to++
  return { frontier: to, beyond: [...all].sort((a, b) => a - b) }
}
