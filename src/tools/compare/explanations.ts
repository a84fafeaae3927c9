import { findOperation, type InterfaceName } from '../../contract/documents/find-operation.ts'
import type { ComparisonReport, FoundDifference } from '../../contract/records/control/comparison.ts'
import type { Candidate } from './candidates.ts'
import { keyOf } from './difference-key.ts'

/** Repeats the comparison up to a step, in a fresh world of ours with these choices. */
export type Trial = (choices: Readonly<Record<string, unknown>>, until: number) => Promise<ComparisonReport>

export interface Explanations {
  /** Only choices that end differences are named, beside the ones that were set before. */
  choices: Record<string, unknown>
  /** Maps the key of a difference to the choice that ends it. */
  byKey: ReadonlyMap<string, { id: string; value: unknown }>
}

interface SearchOptions {
  trial: Trial
  /** Some choices exclude each other in one profile. */
  fits(choices: Readonly<Record<string, unknown>>): boolean
  lastStep: number
}

/** Trials end after so many calls, so that a long case does not keep the machine busy for hours. */
const MOST_CALLS = 40_000
/** A choice that ends another status shows what this had hidden, which another choice may end. */
const ROUNDS = 3

/**
 * Finds the choices that end differences by making the calls again with each value that might: no table of signs, which
 * would be right for the vendors that its author thought of.
 */
export async function explainDifferences(
  { differences }: ComparisonReport,
  { candidates, ...options }: SearchOptions & { candidates: readonly Candidate[] },
): Promise<Explanations> {
  const tried = differences.filter(({ step }) => step <= options.lastStep)
  const search = new Search(tried, options)
  for (let round = 0; round < ROUNDS; round++) {
    let hasOpened = false
    for (const candidate of candidates) hasOpened = (await search.try(candidate)) || hasOpened
    if (!hasOpened || search.isDone) break
  }
  return search.end()
}

interface Attempt {
  value: unknown
  ended: FoundDifference[]
  /** These differences appear only with the choice. */
  brought: FoundDifference[]
  /** Two attempts with equal prints make no difference to each other. */
  print: string
}

class Search {
  readonly #first: readonly FoundDifference[]
  readonly #options: SearchOptions
  readonly #choices: Record<string, unknown> = {}
  readonly #byKey = new Map<string, { id: string; value: unknown }>()
  #left: readonly FoundDifference[]
  #calls = 0

  constructor(differences: readonly FoundDifference[], options: SearchOptions) {
    this.#first = differences
    this.#left = differences
    this.#options = options
  }

  get isDone(): boolean {
    return this.#left.length === 0 || this.#calls >= MOST_CALLS
  }

  /** Gives whether other differences may have been hidden behind the ended ones. */
  async try({ id, values, rank, concerns }: Candidate): Promise<boolean> {
    if (this.#choices[id] !== undefined) return false
    const own = this.#left.filter(({ operation, route }) => concerns(operation, interfaceOf(route)))
    if (own.length === 0 || this.isDone) return false
    const until = Math.max(...own.map(({ step }) => step))
    let best: Attempt | undefined
    const fitting = values.filter((value) => this.#options.fits({ ...this.#choices, [id]: value }))
    const tried = await this.#withEffect(id, fitting, until)
    for (const value of tried.toSorted((a, b) => rank(a) - rank(b))) {
      best = (await this.#improve(best, id, value, until)) ?? best
      if ((best && best.ended.length >= own.length) || this.isDone) break
    }
    if (!best) return false
    const { value, ended, brought } = best
    this.#choices[id] = value
    for (const each of ended) this.#byKey.set(keyOf(each), { id, value })
    const keys = new Set(ended.map(keyOf))
    this.#left = [...this.#left.filter((each) => !keys.has(keyOf(each))), ...brought]
    return brought.length > 0
  }

  /** A value that ends the first of several may leave those behind it, or begin others there. */
  async #improve(best: Attempt | undefined, id: string, value: unknown, until: number): Promise<Attempt | undefined> {
    const isBetter = (attempt: Attempt) => attempt.ended.length > (best?.ended.length ?? 0) && isHonest(attempt)
    const { lastStep } = this.#options
    const attempt = await this.#attempt(id, value, until)
    if (!isBetter(attempt) || until === lastStep) return isBetter(attempt) ? attempt : undefined
    const whole = await this.#attempt(id, value, lastStep)
    return isBetter(whole) ? whole : undefined
  }

  /** A choice that worked alone may fail beside the others, so all of them are tried together. */
  async end(): Promise<Explanations> {
    if (this.#byKey.size === 0) return { choices: {}, byKey: this.#byKey }
    const { differences } = await this.#options.trial(this.#choices, this.#options.lastStep)
    const left = new Set(differences.map(keyOf))
    const first = new Set(this.#first.map(keyOf))
    const byKey = new Map([...this.#byKey].filter(([key]) => first.has(key) && !left.has(key)))
    return { choices: this.#choices, byKey }
  }

  /** Skips the values between the first and the last where these two, the furthest apart, answer alike. */
  async #withEffect(id: string, values: readonly unknown[], until: number): Promise<readonly unknown[]> {
    if (values.length <= 4) return values
    const [first, last] = [await this.#attempt(id, values[0], until), await this.#attempt(id, values.at(-1), until)]
    return first.print === last.print && first.ended.length === 0 ? [] : values
  }

  async #attempt(id: string, value: unknown, until: number): Promise<Attempt> {
    const { differences, calls } = await this.#options.trial({ ...this.#choices, [id]: value }, until)
    this.#calls += calls
    const known = new Set(this.#left.map(keyOf))
    const found = new Set(differences.map(keyOf))
    return {
      value,
      ended: this.#left.filter((each) => each.step <= until && !found.has(keyOf(each))),
      brought: differences.filter((each) => !known.has(keyOf(each))),
      print: differences.map((each) => `${keyOf(each)} ${each.count}`).join('\n'),
    }
  }
}

/**
 * A value that ends some and begins others explains nothing, unless another status had hidden these. One that makes
 * ours refuse for another reason than theirs ends the status by chance.
 */
function isHonest({ ended, brought }: Attempt): boolean {
  const statuses = ended.filter(({ kind }) => kind === 'status')
  const opened = new Set(statuses.map(({ operation }) => operation))
  const refused = statuses.filter(({ ours, theirs }) => Number(ours) < 400 && Number(theirs) >= 400)
  const refusing = new Set(refused.map(({ operation }) => operation))
  return brought.every(({ kind, operation }) => {
    return kind !== 'status' && opened.has(operation) && (kind === 'header' || !refusing.has(operation))
  })
}

function interfaceOf(route: string): InterfaceName | undefined {
  const [method = '', path = ''] = route.split(' ')
  return findOperation(method, path)?.of
}
