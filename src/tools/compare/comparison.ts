import { createHash } from 'node:crypto'
import { findCalledOperation } from '#contract/documents/find-operation.ts'
import {
  type ComparisonReport,
  type DifferenceKind,
  type FoundDifference,
  type SkippedCalls,
  UNEXPLAINED,
} from '#contract/records/control/comparison.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import { REDACTED } from '#contract/records/secret-names.ts'
import { Redactor } from '#contract/redaction.ts'
import { type Difference, diffValues } from '../cases/structural-diff.ts'
import { maskIds, IdMapping } from '../cases/id-mapping.ts'
import { diffReplies } from './replies.ts'
import type { ReceivedResponse } from '../cases/player/request.ts'
import type { StreamFrame } from '#contract/files/case.ts'

export interface ComparisonOptions {
  upstream: string
  /** Links that begin with either server's own address count as equal. */
  bases?: { ours: readonly string[]; theirs: readonly string[] }
  /** The wording of refusals is free in the documents, so it counts only when asked for. */
  texts?: boolean
  /** These values never appear in a report. */
  secrets?: Iterable<string>
}

/** The responses of both servers to one call. */
export interface BothReplies {
  step: number
  call: Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>
  ours: ReceivedResponse
  theirs: ReceivedResponse
}

/**
 * Collects differences between two servers that get the same calls in the same order. IDs, tokens, timestamps, slots
 * and days match by first appearance. Memory does not grow with the calls.
 */
export class Comparison {
  readonly idMapping = new IdMapping()
  calls = 0
  readonly left: SkippedCalls = { writes: 0, secrets: 0, control: 0 }
  readonly #options: ComparisonOptions
  readonly #redactor: Redactor
  readonly #isTrial: boolean
  /** Each difference once for the whole run, and once for each of the first steps that show it. */
  readonly #differences = new Map<string, FoundDifference>()
  readonly #inSteps = new Map<string, FoundDifference>()
  readonly #tallies = new Map<string, Tally>()
  #unlisted = 0
  readonly #streams = { compared: 0, notCompared: 0 }

  /** `known` has learned the secrets of all replies. */
  constructor(options: ComparisonOptions, known?: Redactor) {
    this.#options = options
    this.#isTrial = known !== undefined
    this.#redactor = known ?? new Redactor({ sha256, isPublished: () => false }, 'named')
    for (const secret of options.secrets ?? []) this.#redactor.add(secret)
  }

  /** A trial repeats the comparison with other responses of ours, which no report shows. */
  again(): Comparison {
    return new Comparison(this.#options, this.#redactor)
  }

  /** Says whether the replies differ. */
  take({ step, call, ours, theirs }: BothReplies): boolean {
    this.calls++
    for (const reply of this.#isTrial ? [] : [ours, theirs]) this.#redactor.learn({ step, at: '', call, reply })
    const tally = this.#tallyOf(call)
    tally.calls++
    const rules = { ...this.#rulesOf(tally), texts: this.#options.texts ?? false }
    const differences = diffReplies(ours, theirs, rules)
    this.#keep(tally, step, differences)
    return differences.length > 0
  }

  /** Frames of one stream as they came; where the upstream sent none at all, nothing is compared. */
  takeFrames(step: number, call: BothReplies['call'], ours: readonly StreamFrame[], theirs: readonly StreamFrame[]) {
    if (theirs.length === 0 && ours.length > 0) this.#streams.notCompared++
    else this.#streams.compared++
    if (theirs.length === 0) return
    const tally = this.#tallyOf(call)
    this.#keep(tally, step, diffValues('frames', ours, theirs, { ...this.#rulesOf(tally), fieldOrder: false }))
  }

  report(): ComparisonReport {
    const hide = (text: string) => this.#hideText(text)
    return {
      comparison: 1,
      upstream: this.#options.upstream,
      calls: this.calls,
      left: { ...this.left },
      streams: { ...this.#streams },
      differences: this.#hide(this.#differences),
      unlisted: this.#unlisted,
      distance: [...this.#tallies.values()].map(({ operation, route, ...tally }) => ({
        operation: hide(operation),
        route: hide(route),
        ...tally,
        kinds: Object.fromEntries(
          Object.entries(tally.kinds).map(([kind, n]) => [kind, { count: n, share: tally.places && n / tally.places }]),
        ),
      })),
      exceeded: [],
    }
  }

  /** The same differences, each once for every one of the first steps that show it. */
  differencesInSteps(): FoundDifference[] {
    return this.#hide(this.#inSteps)
  }

  /** A secret may have been learned after the difference that shows it. */
  #hide(found: ReadonlyMap<string, FoundDifference>): FoundDifference[] {
    return [...found.values()].map(({ ours, theirs, ...each }) => ({
      ...each,
      operation: this.#hideText(each.operation),
      route: this.#hideText(each.route),
      place: this.#hideText(each.place),
      ...(ours !== undefined && { ours: this.#show(ours, each.place) }),
      ...(theirs !== undefined && { theirs: this.#show(theirs, each.place) }),
    }))
  }

  #hideText(text: string): string {
    return withoutNumbers(this.#redactor.hideText(text))
  }

  /** The field at that place may have the name of a secret. */
  #show(value: unknown, place: string): unknown {
    const name = place.replace(/^.*\./, '').replace(/\[.*$/, '')
    const [hidden] = Object.values(this.#redactor.hideValue({ [name]: value }))
    // A name of a field may be a secret, too.
    const text = this.#hideText(JSON.stringify(hidden))
    return text.length > MOST_SHOWN ? cut(text) : JSON.parse(text)
  }

  #tallyOf(call: BothReplies['call']): Tally {
    // An address may hold a secret.
    const { method, path, body } = { ...call, path: this.#hideText(call.path.split('?', 1)[0] ?? '') }
    const found = findCalledOperation(method, path, typeof body === 'string' ? body : Object(body).text)
    const address = `${method} ${maskIds(path)}`.slice(0, 200)
    const isListed = found?.operation !== undefined || this.#tallies.size < MOST_OPERATIONS
    const operation = isListed ? String(found?.operation ?? address) : 'others'
    const route = isListed ? (found?.route ?? address) : 'others'
    const tally = this.#tallies.get(operation) ?? { operation, route, calls: 0, places: 0, kinds: {} }
    this.#tallies.set(operation, tally)
    return tally
  }

  #rulesOf(tally: Tally) {
    const { equal, mapIds } = this.idMapping
    const compare = (ours: unknown, theirs: unknown, path: string) =>
      typeof ours === 'string' && typeof theirs === 'string'
        ? equal(...this.#withoutBases(ours, theirs), path)
        : equal(ours, theirs, path)
    return { equal: compare, mapIds, count: () => void tally.places++ }
  }

  /** The links of each server start with its own address, which is not a difference. */
  #withoutBases(ours: string, theirs: string): [string, string] {
    if (!ours.includes('//')) return [ours, theirs]
    const { bases } = this.#options
    const shorten = (text: string, known: readonly string[] = []) =>
      known.reduce((left, base) => left.replaceAll(base, BASE), text)
    const own = shorten(ours, bases?.ours)
    const other = shorten(theirs, bases?.theirs)
    // A server behind a proxy builds links with another address than it was asked at.
    return [own, own.startsWith(BASE) ? other.replace(/^https?:\/\/[^/?#]+/, BASE) : other]
  }

  #keep(tally: Tally, step: number, differences: readonly Difference[]): void {
    for (const difference of differences) {
      const { kind } = difference
      tally.kinds[kind] = (tally.kinds[kind] ?? 0) + 1
      const found = this.#describe(tally, step, difference)
      if (!countIn(this.#differences, keyOf(found), found, MOST_LISTED)) this.#unlisted++
      else countIn(this.#inSteps, keyInStep(found), found, MOST_IN_STEPS)
    }
  }

  #describe({ operation, route }: Tally, step: number, difference: Difference): FoundDifference {
    const { kind, recorded: ours, actual: theirs } = difference
    // All entries of a list count as one place.
    const place = cut(this.#hideText(difference.path.replace(/\[\d+\]/g, '[]')))
    return {
      operation,
      route,
      place,
      kind,
      count: 1,
      step,
      ...(ours !== undefined && { ours: this.#show(ours, place) }),
      ...(theirs !== undefined && { theirs: this.#show(theirs, place) }),
      explanation: UNEXPLAINED,
    }
  }
}

/** How far two servers are from each other in one operation. */
interface Tally {
  operation: string
  route: string
  calls: number
  places: number
  kinds: Partial<Record<DifferenceKind, number>>
}

/** A hostile case or upstream could ask or differ in any number of places, so the lists are bounded. */
const MOST_OPERATIONS = 500
const MOST_LISTED = 2000
const MOST_IN_STEPS = 10_000

function countIn(counted: Map<string, FoundDifference>, key: string, found: FoundDifference, most: number): boolean {
  const known = counted.get(key)
  if (known) known.count++
  else if (counted.size < most) counted.set(key, { ...found })
  else return false
  return true
}

type Keyed = Pick<FoundDifference, 'operation' | 'kind' | 'place' | 'ours' | 'theirs'>

/** Differences of two runs with the same key are the same difference. */
export function keyOf(found: Keyed): string {
  const { operation, kind, place, ours, theirs } = found
  // Each pair of statuses or error codes is a difference of its own.
  const values = kind === 'status' || kind === 'error' ? ` ${JSON.stringify([ours, theirs])}` : ''
  return `${operation} ${kind} ${place}${values}`
}

/** A choice may end a difference in one step and begin the same in another, so trials are compared step by step. */
export const keyInStep = (found: Keyed & Pick<FoundDifference, 'step'>): string => `${found.step} ${keyOf(found)}`

const BASE = '{{base}}'
const MOST_SHOWN = 300
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const withoutNumbers = (text: string) => text.replace(/\{\{token:\d+\}\}/g, REDACTED)

/** A part of a text holds the whole of it in memory (V8); a copy does not. */
const cut = (text: string): string =>
  text.length > MOST_SHOWN ? `${Buffer.from(text.slice(0, MOST_SHOWN)).toString()}…` : text
