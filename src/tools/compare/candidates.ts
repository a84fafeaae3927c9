import { describeAllowed } from '#contract/records/control/choice-values.ts'
import { choices, type Rule } from '#contract/rules.ts'
import { findJson } from '#contract/records/decoded-text.ts'
import { millisecondsOf } from '#contract/records/duration.ts'
import { interfaceNames, type InterfaceName } from '#contract/documents/find-operation.ts'
import type { ReceivedResponse } from '../cases/player/request.ts'
import type { CallStep } from '#contract/files/case.ts'

export interface Candidate {
  id: string
  /** The value closest to the default comes first, because it is the most cautious assumption. */
  values: readonly unknown[]
  /** A choice is not tried if it does not affect the operations that differ. */
  concerns(operation: string, of: InterfaceName | undefined): boolean
}

const interfacesOf: Readonly<Record<string, readonly InterfaceName[]>> = {
  'document 1': ['support'],
  'document 2': ['events', 'wallet'],
  'document 3': ['billing'],
}
/** Candidates for durations. Vendors usually choose round values. */
const durations =
  'PT1S PT10S PT30S PT1M PT5M PT10M PT15M PT30M PT1H PT2H PT4H PT8H PT12H P1D P2D P3D P7D P14D P30D'.split(' ')
const words = ['none']
const numbers = [1, 5, 7, 10, 14, 20, 21, 25, 28, 30, 45, 50, 60, 90, 100, 120, 180, 200, 365, 500, 1000]
const MOST_SEEN = 50

/** Values in responses that differ may reveal the vendor's settings, such as the length of a list. */
export class Evidence {
  readonly #numbers = new Set<number>()
  readonly #sources = new Set<string>()
  readonly #limits = new Map<string, unknown>()

  see({ call }: CallStep, { headers, body }: ReceivedResponse): void {
    this.#seeBounds(call.path)
    const source = call.headers['request-source']
    if (typeof source === 'string' && this.#sources.size < 5) this.#sources.add(source)
    const [, requests, seconds] = /;q=(\d+);w=(\d+)/.exec(String(headers?.['ratelimit-policy'])) ?? []
    if (requests !== undefined && this.#limits.size < 5) {
      const limit = { requests: Number(requests), per: `PT${seconds}S` }
      this.#limits.set(JSON.stringify(limit), limit)
    }
    if (body !== undefined && body.length < 1_000_000) this.#seeLists(findJson(body), 0)
  }

  candidates(own: Readonly<Record<string, unknown>> = {}): Candidate[] {
    return choices.flatMap(({ id, schema, document, operations }) => {
      if (!schema) return []
      const values = this.#valuesOf(schema, own[id])
      const interfaces = interfacesOf[document] ?? interfaceNames
      const concerns: Candidate['concerns'] = (operation, of) =>
        operations.length > 0 ? operations.map(String).includes(operation) : of === undefined || interfaces.includes(of)
      return values.length > 0 ? [{ id, values, concerns }] : []
    })
  }

  #valuesOf(schema: NonNullable<Rule['schema']>, own: unknown): unknown[] {
    const standard: unknown = schema.parse(undefined)
    const current = own ?? standard
    const lists = Array.isArray(standard) ? toLists(standard as unknown[], [...this.#sources]) : []
    const seen = [...lists, ...this.#limits.values(), ...this.#numbers]
    const pool = [standard, ...describeAllowed(schema), ...seen, ...words, ...durations, ...numbers]
    // If the schema converts a value to a different value, the value is not a valid candidate.
    const isValue = (value: unknown) => isSame(schema.safeParse(value).data, value) && !isSame(value, current)
    const values = [...new Map(pool.filter(isValue).map((value) => [JSON.stringify(value), value])).values()]
    return values.toSorted((a, b) => distanceBetween(standard, a) - distanceBetween(standard, b))
  }

  /** A requested page size may be the largest one that the vendor accepts, or one more than that. */
  #seeBounds(path: string): void {
    for (const [, digits] of path.matchAll(/[?&](?:limit|size)=(\d{1,6})(?=&|$)/g)) {
      if (this.#numbers.size < MOST_SEEN) this.#numbers.add(Number(digits)).add(Number(digits) - 1)
    }
  }

  #seeLists(value: unknown, level: number): void {
    if (typeof value !== 'object' || value === null || level > 6 || this.#numbers.size >= MOST_SEEN) return
    if (Array.isArray(value)) this.#numbers.add(value.length)
    for (const each of Object.values(value).slice(0, 100)) this.#seeLists(each, level + 1)
  }
}

/** Converts numbers and durations to a number. The word `none` counts as infinite. */
function magnitudeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (words.includes(value)) return Infinity
  return /^P.*\d/.test(value) ? millisecondsOf(value) : undefined
}

function distanceBetween(standard: unknown, value: unknown): number {
  const [own, other = 0] = [magnitudeOf(standard), magnitudeOf(value)]
  if (own === undefined) return 0
  return own === Infinity ? -other : Math.abs(other - own)
}

const toLists = (standard: readonly unknown[], seen: readonly unknown[]) =>
  seen.filter((each) => !standard.includes(each)).map((each) => [...standard, each])

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
