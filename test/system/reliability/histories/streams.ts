export interface Emission {
  value: number
  invoked: number
  /** Infinity if the effect is unknown. */
  completed: number
}

/** Everything that a client received from all its connections to a stream, in order. */
export type Arrival =
  | { kind: 'event'; sequence: number; value: number }
  /** Events up to this sequence number may have been lost. */
  | { kind: 'gap'; sequence: number }
  /** Time at which a connection without a last event ID was opened. */
  | { kind: 'fresh'; at: number }

/**
 * Checks that each client receives each event once, that the order is the same for all clients and matches real time,
 * and that every lost event is reported with a gap.
 */
export function checkStreams(emissions: readonly Emission[], readers: readonly (readonly Arrival[])[]): string[] {
  const sequences = new Map<number, number>()
  const findings: string[] = []
  for (const [reader, arrivals] of readers.entries()) {
    let last = 0
    const got = new Set<number>()
    for (const arrival of arrivals) {
      if (arrival.kind !== 'event') continue
      const { value, sequence } = arrival
      if (got.has(value)) findings.push(`reader ${reader} got event ${value} twice`)
      else if (sequence <= last) findings.push(`reader ${reader} got ${sequence} after ${last}`)
      if ((sequences.get(value) ?? sequence) !== sequence) findings.push(`event ${value} has two numbers`)
      got.add(value)
      last = Math.max(last, sequence)
      sequences.set(value, sequence)
    }
  }
  const published = new Set(emissions.map(({ value }) => value))
  findings.push(
    ...[...sequences.keys()].filter((value) => !published.has(value)).map((each) => `nobody published ${each}`),
  )
  if (new Set(sequences.values()).size < sequences.size) findings.push('two events have one number')
  findings.push(...checkOrder(emissions, sequences))
  findings.push(...readers.flatMap((arrivals, reader) => checkLosses(emissions, arrivals, sequences, reader)))
  return findings
}

/** An event that was acknowledged before another one was published must have the smaller sequence number. */
function checkOrder(emissions: readonly Emission[], sequences: ReadonlyMap<number, number>): string[] {
  const numbered = emissions.filter(({ value }) => sequences.has(value))
  const byCompletion = numbered.toSorted((a, b) => a.completed - b.completed)
  let ended = 0
  let highest: Emission | undefined
  const findings: string[] = []
  for (const emission of numbered.toSorted((a, b) => a.invoked - b.invoked)) {
    for (; byCompletion[ended] && byCompletion[ended]!.completed < emission.invoked; ended++) {
      const { value } = byCompletion[ended]!
      if (!highest || sequences.get(value)! > sequences.get(highest.value)!) highest = byCompletion[ended]
    }
    if (highest && sequences.get(highest.value)! > sequences.get(emission.value)!) {
      findings.push(`event ${highest.value} came after ${emission.value}, though it was published before`)
    }
  }
  return findings
}

function checkLosses(
  emissions: readonly Emission[],
  arrivals: readonly Arrival[],
  sequences: ReadonlyMap<number, number>,
  reader: number,
): string[] {
  const got = new Set(arrivals.flatMap((each) => (each.kind === 'event' ? [each.value] : [])))
  const since = Math.max(...arrivals.flatMap((each) => (each.kind === 'fresh' ? [each.at] : [])))
  const gaps: (readonly [after: number, upTo: number])[] = []
  let last = 0
  for (const arrival of arrivals) {
    if (arrival.kind === 'fresh') continue
    if (arrival.kind === 'gap') gaps.push([last, arrival.sequence])
    last = Math.max(last, arrival.sequence)
  }
  const isReported = (sequence: number | undefined) =>
    sequence === undefined ? gaps.length > 0 : gaps.some(([after, upTo]) => after < sequence && sequence <= upTo)
  return emissions
    .filter(({ value, invoked, completed }) => completed < Infinity && invoked > since && !got.has(value))
    .filter(({ value }) => !isReported(sequences.get(value)))
    .map(({ value }) => `reader ${reader} never got event ${value}, and was told of no gap`)
}
