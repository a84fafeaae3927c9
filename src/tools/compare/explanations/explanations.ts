import { findOperation, type InterfaceName } from '../../../contract/documents/find-operation.ts'
import type { FoundDifference } from '../../../contract/records/control/comparison.ts'
import {
  type Change,
  changeBetween,
  type Choices,
  type Explanations,
  isHonest,
  isVeiled,
  type SearchOptions,
} from './attempts.ts'
import type { Candidate } from './candidates.ts'
import { keyInStep, keyOf } from '../difference-key.ts'
import { verifyChoices } from './verified-choices.ts'

/** Trials end after so many calls, so that a long case does not keep the machine busy for hours. */
const MOST_CALLS = 40_000
/** A choice that ends another status shows what this had hidden, which another choice may end. */
const ROUNDS = 3
/** So many steps that show a difference tell for most values that they do not end it. */
const FIRST_STEPS = 5
/** A refusal whose body has another form is that of a choice only beside this one. */
const SHAPE = 'error-shape'

/**
 * Finds the choices that end differences, step by step, by making the calls again with each value that might: no table
 * of signs, which would be right for the vendors that its author thought of.
 */
export async function explainDifferences(
  differences: readonly FoundDifference[],
  { candidates, ...options }: SearchOptions & { candidates: readonly Candidate[] },
): Promise<Explanations> {
  const shapes = candidates.find(({ id }) => id === SHAPE)?.values ?? []
  const search = new Search(differences, shapes, options)
  for (let round = 0; round < ROUNDS; round++) {
    let hasOpened = false
    for (const candidate of candidates) hasOpened = (await search.try(candidate)) || hasOpened
    if (!hasOpened || search.isDone) break
  }
  return verifyChoices(search.found, differences, options)
}

interface Attempt extends Change {
  choices: Choices
  /** Attempts with equal prints show the same differences. */
  print: string
}

interface Best {
  honest?: Attempt | undefined
  /** It would be honest beside another form of errors. */
  veiled?: Attempt | undefined
}

class Search {
  readonly #shapes: readonly unknown[]
  readonly #options: SearchOptions
  readonly #byKey = new Map<string, { id: string; value: unknown }>()
  #choices: Choices = {}
  #left: readonly FoundDifference[]
  #calls = 0

  constructor(differences: readonly FoundDifference[], shapes: readonly unknown[], options: SearchOptions) {
    this.#left = differences
    this.#shapes = shapes
    this.#options = options
  }

  get isDone(): boolean {
    return this.#left.length === 0 || this.#calls >= MOST_CALLS
  }

  get found(): Explanations {
    return { choices: this.#choices, byKey: this.#byKey }
  }

  /** Gives whether other differences may have been hidden behind the ended ones. */
  async try({ id, values, rank, concerns }: Candidate): Promise<boolean> {
    if (this.#choices[id] !== undefined) return false
    const own = this.#left.filter(({ operation, route }) => concerns(operation, interfaceOf(route)))
    if (own.length === 0 || this.isDone) return false
    const best = await this.#findBest(own, { id, values, rank })
    if (!best) return false
    this.#choices = best.choices
    for (const each of best.ended) this.#byKey.set(keyInStep(each), { id, value: best.choices[id] })
    this.#left = [...changeBetween(best.ended, this.#left).brought, ...best.brought]
    return best.brought.length > 0
  }

  async #findBest(
    own: readonly FoundDifference[],
    { id, values, rank }: Pick<Candidate, 'id' | 'values' | 'rank'>,
  ): Promise<Attempt | undefined> {
    let until = stepOfFirst(own)
    let { honest, veiled }: Best = {}
    const fitting = values.map((value) => ({ ...this.#choices, [id]: value })).filter(this.#options.fits)
    const tried = await this.#withEffect(fitting, until)
    for (const choices of tried.toSorted((a, b) => rank(a[id]) - rank(b[id]))) {
      const attempt = await this.#improve(choices, until, { honest, veiled })
      if (attempt && isHonest(attempt)) honest = greater(honest, attempt)
      else if (attempt) veiled = greater(veiled, attempt)
      const best = greater(honest, veiled)
      if ((best && best.ended.length >= own.length) || this.isDone) break
      // A value that ends more than the best does so where the best does not.
      if (best) until = Math.max(until, stepOfFirst(changeBetween(best.ended, own).brought))
    }
    return (veiled && greater(honest, veiled) === veiled && (await this.#unveil(veiled))) || honest
  }

  /** A value that ends the first of several may leave those behind it, or begin others there. */
  async #improve(choices: Choices, until: number, { honest, veiled }: Best): Promise<Attempt | undefined> {
    const most = countUntil(until, honest)
    const mostVeiled = Math.max(most, countUntil(until, veiled))
    const isBetter = (attempt: Attempt) =>
      isHonest(attempt) ? attempt.ended.length > most : isVeiled(attempt) && attempt.ended.length > mostVeiled
    const { lastStep } = this.#options
    const attempt = await this.#attempt(choices, until)
    if (!isBetter(attempt) || until === lastStep) return isBetter(attempt) ? attempt : undefined
    const whole = await this.#attempt(choices, lastStep)
    return isBetter(whole) ? whole : undefined
  }

  /** The same refusal in another form of errors is none by chance. */
  async #unveil(veiled: Attempt): Promise<Attempt | undefined> {
    if (this.#choices[SHAPE] !== undefined) return undefined
    for (const shape of this.#shapes) {
      const choices = { ...veiled.choices, [SHAPE]: shape }
      if (!this.#options.fits(choices) || this.isDone) continue
      const attempt = await this.#attempt(choices, this.#options.lastStep)
      if (attempt.ended.length >= veiled.ended.length && isHonest(attempt)) return attempt
    }
    return undefined
  }

  /** Skips the values between the first and the last where these two, the furthest apart, answer alike. */
  async #withEffect(fitting: readonly Choices[], until: number): Promise<readonly Choices[]> {
    const [first, last] = [fitting[0], fitting.at(-1)]
    if (!first || !last || fitting.length <= 4) return fitting
    const [one, other] = [await this.#attempt(first, until), await this.#attempt(last, until)]
    return one.print === other.print && one.ended.length === 0 ? [] : fitting
  }

  async #attempt(choices: Choices, until: number): Promise<Attempt> {
    const { differences, calls } = await this.#options.trial(choices, until)
    this.#calls += calls
    return {
      choices,
      ...changeBetween(
        this.#left.filter(({ step }) => step <= until),
        differences,
      ),
      print: differences.map((each) => `${keyInStep(each)} ${each.count}`).join('\n'),
    }
  }
}

/** Of two that end as much the first stays. */
function greater(first: Attempt | undefined, second: Attempt | undefined): Attempt | undefined {
  return (second?.ended.length ?? 0) > (first?.ended.length ?? 0) ? second : first
}

const countUntil = (until: number, attempt: Attempt | undefined): number =>
  attempt?.ended.filter(({ step }) => step <= until).length ?? 0

/** The last of the first steps that show each of these. */
function stepOfFirst(differences: readonly FoundDifference[]): number {
  const counts = new Map<string, number>()
  const first = differences.filter((each) => {
    const count = (counts.get(keyOf(each)) ?? 0) + 1
    counts.set(keyOf(each), count)
    return count <= FIRST_STEPS
  })
  return Math.max(...first.map(({ step }) => step))
}

function interfaceOf(route: string): InterfaceName | undefined {
  const [method = '', path = ''] = route.split(' ')
  return findOperation(method, path)?.of
}
