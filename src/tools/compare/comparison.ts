import { createHash } from 'node:crypto'
import {
  type ComparisonReport,
  type FoundDifference,
  type LeftOut,
  UNEXPLAINED,
} from '#contract/records/control/comparison.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import { REDACTED } from '#contract/records/secret-names.ts'
import { Redactor } from '#contract/redaction.ts'
import { type Difference, diffValues } from '../cases/structural-diff.ts'
import { Unifier } from '../cases/unifier.ts'
import { Distance, type Tally } from './distance.ts'
import { FoundDifferences } from './found-differences.ts'
import type { ComparedFrame } from './peer.ts'
import { type ComparedReply, diffReplies } from './replies.ts'

export interface ComparisonOptions {
  upstream: string
  /** Links that begin with either server's own address count as equal. */
  bases?: { ours: readonly string[]; theirs: readonly string[] }
  /** The wording of refusals is free in the documents, so it counts only when asked for. */
  texts?: boolean
  /** These values never appear in a report. */
  secrets?: Iterable<string>
}

export interface Exchange {
  step: number
  call: Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>
  ours: ComparedReply
  theirs: ComparedReply
}

/**
 * Collects what differs between two servers that get the same calls, call by call in their order: ids, tokens,
 * instants, slots and days count as the same as they first appear. What it keeps does not grow with the calls.
 */
export class Comparison {
  readonly unifier = new Unifier()
  readonly left: LeftOut = { writes: 0, secrets: 0, control: 0 }
  readonly #options: ComparisonOptions
  readonly #redactor = new Redactor({ sha256, isPublished: () => false }, 'named')
  readonly #differences = new FoundDifferences()
  readonly #distance = new Distance()
  readonly #streams = { compared: 0, notCompared: 0 }
  #calls = 0

  constructor(options: ComparisonOptions) {
    this.#options = options
    for (const secret of options.secrets ?? []) this.#redactor.add(secret)
  }

  /** Gives the keys of the differences that this call shows. */
  take({ step, call, ours, theirs }: Exchange): string[] {
    this.#calls++
    for (const reply of [ours, theirs]) this.#redactor.learn({ step, at: '', call, reply })
    const tally = this.#tallyOf(call)
    tally.calls++
    const rules = { ...this.#rulesOf(tally), texts: this.#options.texts ?? false }
    return this.#keep(tally, step, diffReplies(ours, theirs, rules))
  }

  /** Frames of one stream as they came; where the upstream sent none at all, nothing is compared. */
  takeFrames(step: number, call: Exchange['call'], ours: readonly ComparedFrame[], theirs: readonly ComparedFrame[]) {
    if (theirs.length === 0 && ours.length > 0) this.#streams.notCompared++
    else this.#streams.compared++
    if (theirs.length === 0) return []
    const tally = this.#tallyOf(call)
    return this.#keep(tally, step, diffValues('frames', ours, theirs, { ...this.#rulesOf(tally), fieldOrder: false }))
  }

  report(): ComparisonReport {
    const hide = (text: string) => this.#hideText(text)
    return {
      comparison: 1,
      upstream: this.#options.upstream,
      calls: this.#calls,
      left: { ...this.left },
      streams: { ...this.#streams },
      differences: this.#hide(this.#differences.whole),
      unlisted: this.#differences.unlisted,
      distance: this.#distance.read().map((each) => ({
        ...each,
        operation: hide(each.operation),
        route: hide(each.route),
      })),
      exceeded: [],
    }
  }

  /** The same differences, each once for every one of the first steps that show it. */
  differencesInSteps(): FoundDifference[] {
    return this.#hide(this.#differences.inSteps)
  }

  /** A secret may have been learned after the difference that shows it. */
  #hide(found: readonly FoundDifference[]): FoundDifference[] {
    const hide = (text: string) => this.#hideText(text)
    return found.map(({ ours, theirs, ...each }) => ({
      ...each,
      operation: hide(each.operation),
      route: hide(each.route),
      place: hide(each.place),
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

  /** An address may hold a secret. */
  #tallyOf(call: Exchange['call']): Tally {
    return this.#distance.tallyOf({ ...call, path: this.#hideText(call.path.split('?', 1)[0] ?? '') })
  }

  #rulesOf(tally: Tally) {
    const { equal, liken } = this.unifier
    const compare = (ours: unknown, theirs: unknown, path: string) =>
      typeof ours === 'string' && typeof theirs === 'string'
        ? equal(...this.#withoutBases(ours, theirs), path)
        : equal(ours, theirs, path)
    return { equal: compare, liken, count: () => void tally.places++ }
  }

  /** Each server's links begin with its own address, which is no difference. */
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

  #keep(tally: Tally, step: number, differences: readonly Difference[]): string[] {
    return differences.map((difference) => {
      const { kind } = difference
      tally.kinds[kind] = (tally.kinds[kind] ?? 0) + 1
      return this.#differences.add(this.#describe(tally, step, difference))
    })
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

const BASE = '{{base}}'
const MOST_SHOWN = 300
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const withoutNumbers = (text: string) => text.replace(/\{\{token:\d+\}\}/g, REDACTED)

/** A part of a text holds the whole of it in memory (V8); a copy does not. */
const cut = (text: string): string =>
  text.length > MOST_SHOWN ? `${Buffer.from(text.slice(0, MOST_SHOWN)).toString()}…` : text
