import { findOperation } from '#contract/documents/find-operation.ts'
import { type ComparisonReport, type FoundDifference, UNEXPLAINED } from '#contract/records/control/comparison.ts'
import type { Candidate } from './candidates.ts'
import { keyInStep, keyOf } from './comparison.ts'

export type Choices = Readonly<Record<string, unknown>>

export type Trial = (choices: Choices, until: number) => Promise<Pick<ComparisonReport, 'calls' | 'differences'>>

export interface Explanations {
  choices: Choices
  /** Maps the key of a difference in a step to the choice that removes the difference. */
  byKey: ReadonlyMap<string, { id: string; value: unknown }>
}

export interface SearchOptions {
  candidates: readonly Candidate[]
  trial: Trial
  /** Returns whether the choices can be combined in one profile, which some choices cannot. */
  fits(choices: Choices): boolean
  lastStep: number
}

/** Limits the requests of all trials, so that a long case does not take hours. */
const MOST_CALLS = 40_000

/** Tries each choice separately, then with those found so far: only a trial can show what a choice explains. */
export async function explainDifferences(
  differences: readonly FoundDifference[],
  options: SearchOptions,
): Promise<Explanations> {
  const search = new Search(differences, options)
  const alone: Attempt[] = []
  for (const candidate of options.candidates) {
    const best = await search.findBestValue(candidate)
    if (best) alone.push(best)
    if (best && isConsistent(best) && best.ended.length === differences.length) break
  }
  for (const attempt of alone.toSorted(compareAttempts)) await search.add(attempt)
  if (alone.length > 0) {
    for (const candidate of options.candidates) {
      const best = await search.findBestValue(candidate)
      if (best) await search.add(best)
    }
  }
  await search.removeIdle()
  return search.read()
}

class Search {
  readonly #first: readonly FoundDifference[]
  readonly #options: SearchOptions
  readonly #endedBy = new Map<string, { id: string; value: unknown }>()
  #choices: Choices = {}
  #left: readonly FoundDifference[]
  #calls = 0

  constructor(differences: readonly FoundDifference[], options: SearchOptions) {
    this.#first = differences
    this.#left = differences
    this.#options = options
  }

  async findBestValue({ id, values, concerns }: Candidate): Promise<Attempt | undefined> {
    const own = this.#left.filter(({ operation, route }) => concerns(operation, interfaceOf(route)))
    if (own.length === 0 || this.#choices[id] !== undefined) return undefined
    const until = Math.max(...own.map(({ step }) => step))
    const before = this.#left.filter(({ step }) => step <= until)
    let best: Attempt | undefined
    for (const value of values) {
      const choices = { ...this.#choices, [id]: value }
      if (this.#calls >= MOST_CALLS) break
      if (!this.#options.fits(choices)) continue
      const change = changeBetween(before, await this.#run(choices, until))
      if (change.ended.length > 0 && isOpening(change)) best = better(best, { id, value, ...change })
      if (best && isConsistent(best) && best.ended.length >= own.length) break
    }
    return best
  }

  async add({ id, value }: Pick<Attempt, 'id' | 'value'>): Promise<void> {
    const { fits, lastStep } = this.#options
    const choices = { ...this.#choices, [id]: value }
    if (this.#left.length === 0 || !fits(choices)) return
    const after = await this.#run(choices, lastStep)
    const change = changeBetween(this.#left, after)
    if (change.ended.length === 0 || !isOpening(change)) return
    for (const each of change.ended) this.#endedBy.set(keyInStep(each), { id, value })
    this.#choices = choices
    this.#left = after
  }

  /** Removes choices that explain nothing more, or that cause inconsistent differences. */
  async removeIdle(): Promise<void> {
    for (const [id, value] of Object.entries(this.#choices).toReversed()) {
      const { [id]: _, ...others } = this.#choices
      if (!this.#options.fits(others)) continue
      const before = await this.#run(others, this.#options.lastStep)
      const change = changeBetween(before, this.#left)
      if (change.ended.length === 0 || !isConsistent(change)) {
        this.#choices = others
        this.#left = before
        return this.removeIdle()
      }
      for (const each of change.ended) {
        const key = keyInStep(each)
        if (this.#choices[this.#endedBy.get(key)?.id ?? ''] === undefined) this.#endedBy.set(key, { id, value })
      }
    }
  }

  read(): Explanations {
    const gone = changeBetween(this.#first, this.#left).ended.map(keyInStep)
    const known = gone.map((key) => [key, this.#endedBy.get(key)] as const)
    return { choices: this.#choices, byKey: new Map(known.flatMap(([key, by]) => (by ? [[key, by]] : []))) }
  }

  async #run(choices: Choices, until: number): Promise<readonly FoundDifference[]> {
    if (Object.keys(choices).length === 0) return this.#first
    const { calls, differences } = await this.#options.trial(choices, until)
    this.#calls += calls
    return differences
  }
}

/** The differences that disappear and those that appear when one choice is added. */
interface Change {
  ended: readonly FoundDifference[]
  brought: readonly FoundDifference[]
}

interface Attempt extends Change {
  id: string
  value: unknown
}

function changeBetween(before: readonly FoundDifference[], after: readonly FoundDifference[]): Change {
  const known = new Set(before.map(keyInStep))
  const left = new Set(after.map(keyInStep))
  return {
    ended: before.filter((each) => !left.has(keyInStep(each))),
    brought: after.filter((each) => !known.has(keyInStep(each))),
  }
}

/** New differences are accepted only where the choice removes the status difference that had hidden them. */
function isOpening({ ended, brought }: Change): boolean {
  const opened = new Set(ended.filter(({ kind }) => kind === 'status').map(({ step }) => step))
  return brought.every(({ kind, step }) => kind !== 'status' && opened.has(step))
}

/** False if the choice rejects a request for another reason or in another format than the vendor's. */
function isConsistent({ ended, brought }: Change): boolean {
  const rejected = new Set(ended.filter(isRejectedByVendor).map(({ step }) => step))
  return isOpening({ ended, brought }) && brought.every(({ kind, step }) => kind === 'header' || !rejected.has(step))
}

const isRejectedByVendor = ({ kind, ours, theirs }: FoundDifference): boolean =>
  kind === 'status' && Number(ours) < 400 && Number(theirs) >= 400

function compareAttempts(one: Attempt, other: Attempt): number {
  return Number(isConsistent(other)) - Number(isConsistent(one)) || other.ended.length - one.ended.length
}

/** If neither attempt is better than the other, the first one is preferred. */
const better = (first: Attempt | undefined, second: Attempt): Attempt =>
  first && compareAttempts(first, second) <= 0 ? first : second

function interfaceOf(route: string) {
  const [method = '', path = ''] = route.split(' ')
  return findOperation(method, path)?.of
}

interface Explained {
  whole: readonly FoundDifference[]
  /** The differences in the steps that trials repeat. */
  inSteps: readonly FoundDifference[]
  byKey: Explanations['byKey']
}

/** Returns a separate row for each explanation of a difference, and one for the steps without an explanation. */
export function explainRows({ whole, inSteps, byKey }: Explained): FoundDifference[] {
  const all = new Map<string, FoundDifference>()
  for (const each of whole) addTo(all, keyOf(each), each)
  const parts = new Map([...all.keys()].map((key) => [key, new Map<string, FoundDifference>()]))
  for (const each of inSteps) {
    const { id, value } = byKey.get(keyInStep(each)) ?? {}
    const explanation = id === undefined ? UNEXPLAINED : `choice: ${id}`
    addTo(parts.get(keyOf(each)), explanation, { ...each, explanation, ...(id !== undefined && { value }) })
  }
  return [...all].flatMap(([key, found]) => {
    const own = parts.get(key)!
    const rest = found.count - [...own.values()].reduce((sum, { count }) => sum + count, 0)
    // Steps without a trial get the explanation of the earlier steps if all earlier steps have the same explanation.
    const [only = found] = own.values()
    const { explanation } = own.size === 1 ? only : found
    if (rest > 0) addTo(own, explanation, { ...found, count: rest })
    return [...own.values()]
  })
}

function addTo(counted: Map<string, FoundDifference> | undefined, key: string, found: FoundDifference): void {
  const known = counted?.get(key)
  if (known) known.count += found.count
  else counted?.set(key, { ...found })
}
