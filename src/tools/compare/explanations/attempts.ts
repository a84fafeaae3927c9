import type { ComparisonReport, FoundDifference } from '../../../contract/records/control/comparison.ts'
import { keyInStep } from '../difference-key.ts'

export type Choices = Readonly<Record<string, unknown>>

/** Tells of a run of the calls up to a step which differences it shows, step by step. */
export type TrialRun = Pick<ComparisonReport, 'calls' | 'differences'>

/** Repeats the comparison up to a step, in a fresh world of ours with these choices. */
export type Trial = (choices: Choices, until: number) => Promise<TrialRun>

export interface Explanations {
  /** Each of these ends a difference beside the others and the ones that were set before. */
  choices: Choices
  /** Maps the key of a difference in its step to the choice that ends it. */
  byKey: ReadonlyMap<string, { id: string; value: unknown }>
}

export interface SearchOptions {
  trial: Trial
  /** Some choices exclude each other in one profile. */
  fits(choices: Choices): boolean
  lastStep: number
}

/** Tells how one run differs from another that has one choice less. */
export interface Change {
  ended: FoundDifference[]
  brought: FoundDifference[]
}

export function changeBetween(before: readonly FoundDifference[], after: readonly FoundDifference[]): Change {
  const known = new Set(before.map(keyInStep))
  const left = new Set(after.map(keyInStep))
  return {
    ended: before.filter((each) => !left.has(keyInStep(each))),
    brought: after.filter((each) => !known.has(keyInStep(each))),
  }
}

/**
 * A value that ends some and begins others explains nothing, unless another status had hidden these. One that makes
 * ours refuse for another reason than theirs ends the status by chance.
 */
export function isHonest(change: Change): boolean {
  const refused = new Set(change.ended.filter(isRefusalOfTheirs).map(({ step }) => step))
  return isOpening(change) && change.brought.every(({ kind, step }) => kind === 'header' || !refused.has(step))
}

/** The bodies of refusals differ where both refuse for one reason in two forms, which another choice may end. */
export const isVeiled = (change: Change): boolean => isOpening(change) && !isHonest(change)

/** All that it begins stands in replies whose status it ends. */
function isOpening({ ended, brought }: Change): boolean {
  const opened = new Set(ended.filter(({ kind }) => kind === 'status').map(({ step }) => step))
  return brought.every(({ kind, step }) => kind !== 'status' && opened.has(step))
}

const isRefusalOfTheirs = ({ kind, ours, theirs }: FoundDifference): boolean =>
  kind === 'status' && Number(ours) < 400 && Number(theirs) >= 400
