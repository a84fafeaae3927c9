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
import { isCallerName, REDACTED } from '#contract/records/secret-names.ts'
import { Redactor } from '#contract/redaction.ts'
import { type Difference, diffValues } from '../cases/structural-diff.ts'
import { maskIds, IdMapping } from '../cases/id-mapping.ts'
import { diffReplies } from './replies.ts'
import type { ReceivedResponse } from '../cases/player/request.ts'
import type { StreamFrame } from '#contract/files/case.ts'

export interface ComparisonOptions {
  upstream: string
  /** Two links count as equal if each starts with the address of the server that returned it. */
  bases?: { ours: readonly string[]; theirs: readonly string[] }
  /** If true, the wording of error messages is also compared, although the documents do not specify it. */
  texts?: boolean
  /** Values that must never appear in a report. */
  secrets?: Iterable<string>
}

export interface BothReplies {
  step: number
  call: Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>
  ours: ReceivedResponse
  theirs: ReceivedResponse
}

/** Both servers must receive the same requests in the same order. Memory use does not depend on their number. */
export class Comparison {
  readonly idMapping = new IdMapping()
  calls = 0
  readonly left: SkippedCalls = { writes: 0, secrets: 0, control: 0 }
  readonly #options: ComparisonOptions
  readonly #redactor: Redactor
  readonly #isTrial: boolean
  /** `#differences` counts each difference over the whole run. `#inSteps` counts each difference per step. */
  readonly #differences = new Map<string, FoundDifference>()
  readonly #inSteps = new Map<string, FoundDifference>()
  readonly #tallies = new Map<string, Tally>()
  #unlisted = 0
  readonly #streams = { compared: 0, notCompared: 0 }

  /** `known` is the redactor of an earlier comparison, which already knows the secrets of all responses. */
  constructor(options: ComparisonOptions, known?: Redactor) {
    this.#options = options
    this.#isTrial = known !== undefined
    this.#redactor = known ?? new Redactor(ofVendor, 'named')
    for (const secret of options.secrets ?? []) this.#redactor.add(secret)
  }

  /** Returns a comparison for a trial. Its local responses never appear in a report. */
  again(): Comparison {
    return new Comparison(this.#options, this.#redactor)
  }

  /** Compares two responses and returns whether they differ. */
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

  /** Compares the frames of one stream. If the upstream sent no frames, the stream is counted as not compared. */
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

  differencesInSteps(): FoundDifference[] {
    return this.#hide(this.#inSteps)
  }

  /** Hides secrets again, because a secret may have been learned after the difference was stored. */
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

  /** The name of the field at this path may show that its value is a secret. */
  #show(value: unknown, place: string): unknown {
    const name = place.replace(/^.*\./, '').replace(/\[.*$/, '')
    const [hidden] = Object.values(this.#redactor.hideValue({ [name]: value }))
    // The value itself may contain fields whose names show that they are secrets.
    const text = this.#hideText(JSON.stringify(hidden))
    return text.length > MOST_SHOWN ? cut(text) : JSON.parse(text)
  }

  #tallyOf(call: BothReplies['call']): Tally {
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

  /** Links that start with the address of their own server are not a difference. */
  #withoutBases(ours: string, theirs: string): [string, string] {
    if (!ours.includes('//')) return [ours, theirs]
    const { bases } = this.#options
    const shorten = (text: string, known: readonly string[] = []) =>
      known.reduce((left, base) => left.replaceAll(base, BASE), text)
    const own = shorten(ours, bases?.ours)
    const other = shorten(theirs, bases?.theirs)
    // Behind a proxy, a server may build links with an address that differs from the requested one.
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
    // All entries of a list have the same path.
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

interface Tally {
  operation: string
  route: string
  calls: number
  places: number
  kinds: Partial<Record<DifferenceKind, number>>
}

/** Limits the lists, because a malicious case or upstream could cause any number of operations or differences. */
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

/** Differences with the same key are the same difference, even in different runs. */
export function keyOf(found: Keyed): string {
  const { operation, kind, place, ours, theirs } = found
  // Each pair of statuses or error codes counts as a separate difference.
  const values = kind === 'status' || kind === 'error' ? ` ${JSON.stringify([ours, theirs])}` : ''
  return `${operation} ${kind} ${place}${values}`
}

/** Trials are compared step by step, because a choice can move a difference to another step. */
export const keyInStep = (found: Keyed & Pick<FoundDifference, 'step'>): string => `${found.step} ${keyOf(found)}`

const BASE = '{{base}}'
const MOST_SHOWN = 300
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** Identities at a real vendor are secret, too. */
const ofVendor = { sha256, isPublished: () => false, isSecretName: isCallerName }
const withoutNumbers = (text: string) => text.replace(/\{\{token:\d+\}\}/g, REDACTED)

/** In V8, a substring keeps the full string in memory, so the substring is copied. */
const cut = (text: string): string =>
  text.length > MOST_SHOWN ? `${Buffer.from(text.slice(0, MOST_SHOWN)).toString()}…` : text
