import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Case } from '#contract/files/case.ts'
import { Bindings } from '#contract/files/placeholders.ts'
import { choiceDraft } from '#contract/records/control/choice-values.ts'
import type { ComparisonReport } from '#contract/records/control/comparison.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { CasePlayer } from '../cases/player/case-player.ts'
import type { CaseServer } from '../cases/player/case-server.ts'
import { ControlError } from '../client/errors.ts'
import { Evidence } from './candidates.ts'
import { Comparison, type ComparisonOptions } from './comparison.ts'
import { type Choices, explainDifferences, explainRows, type Trial } from './explanations.ts'
import { KeptExchanges } from './kept-exchanges.ts'
import { OurWorld } from './our-world.ts'
import type { ComparedCall } from './peer.ts'
import { compareSequence, type SequencePlan } from './sequence.ts'
import { Side } from './side.ts'

export interface CompareOptions {
  upstream: URL
  /** It takes the place of the profile in the case. */
  profile?: VendorProfile | undefined
  allows(asked: ComparedCall): boolean
  /** No rate asks the upstream as fast as it answers. */
  rate?: number | undefined
  /** The case holds numbered placeholders for secrets; the upstream needs the values. */
  secrets: ReadonlyMap<number, string>
  texts: boolean
  /** Real time in milliseconds since any fixed instant. */
  timer(): number
}

export interface Compared {
  report: ComparisonReport
  /** The profile of our world with the choices that end what they explain. */
  learned: VendorProfile
  /** These of its choices end differences that our world has without them. */
  choices: Choices
}

/** Makes a case's calls to the upstream and to a world of ours, and finds the choices that explain differences. */
export async function compareCase(given: Case, server: CaseServer, options: CompareOptions): Promise<Compared> {
  const { header } = given
  let player = await CasePlayer.open(header, server)
  const bases = { ours: basesOf(player.world.address.url, header), theirs: [stripSlash(options.upstream.href)] }
  const about = { upstream: options.upstream.href, bases, texts: options.texts, secrets: options.secrets.values() }
  try {
    const ours = await OurWorld.open(player, options.profile)
    const { profile } = ours
    const kept = new KeptExchanges()
    const evidence = new Evidence()
    const comparison = await compareOnce(given, ours, { ...options, about, kept, evidence })
    const lastStep = kept.steps.at(-1)?.step ?? 0
    const inSteps = comparison.differencesInSteps().filter(({ step }) => step <= lastStep)
    const trial = async (choices: object, until: number) => {
      player = await CasePlayer.again(player)
      const bent = { ...profile, profile: 'trial', choices: { ...profile?.choices, ...choices } } as VendorProfile
      return tryAgain(kept, { player, bent, about, allows: options.allows, until })
    }
    const { choices, byKey } = await explainDifferences(inSteps, {
      candidates: evidence.candidates(),
      trial,
      fits: (choices) => choiceDraft.safeParse({ ...profile?.choices, ...choices }).success,
      lastStep,
    })
    const report = comparison.report()
    const differences = explainRows({ whole: report.differences, inSteps, byKey })
    const learned = { ...profile, profile: 'learned', choices: { ...profile?.choices, ...choices } } as VendorProfile
    return { report: { ...report, ...(profile && { profile: profile.profile }), differences }, learned, choices }
  } finally {
    await player.close()
  }
}

interface Run extends CompareOptions {
  about: ComparisonOptions
  kept: KeptExchanges
  evidence: Evidence
}

async function compareOnce({ header, steps }: Case, ours: OurWorld, run: Run): Promise<Comparison> {
  const { kept, evidence, rate, secrets } = run
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const bindings = new Bindings(header.tokens, { sha256, invent: (shape) => shape })
  for (const [n, value] of secrets) bindings.set(n, value)
  const comparison = new Comparison(run.about)
  const theirs = new Side({ url: run.upstream.href, bindings, isForeign: true })
  const plan: SequencePlan = {
    steps,
    ours,
    theirs: kept.keep(theirs),
    comparison,
    allows: run.allows,
    onStep: (step) => kept.addStep(step),
    onDifference: (asked, reply) => evidence.see(asked, reply),
    ...(rate !== undefined && { pace: paceAt(rate, run.timer) }),
  }
  try {
    await compareSequence(plan)
    return comparison
  } catch (error) {
    throw toUpstreamError(error)
  } finally {
    await Promise.all([theirs.close(), ours.close()])
  }
}

/** Exit code 1 means differences; an upstream that cannot be asked must not look like one. */
function toUpstreamError(error: unknown): unknown {
  const { code, message } = error as ControlError
  return code === 'Unreachable' ? new ControlError(0, 'NotVendorCloud', message, [], error) : error
}

interface PlannedTrial {
  player: CasePlayer
  bent: VendorProfile
  about: ComparisonOptions
  allows: CompareOptions['allows']
  until: number
}

async function tryAgain(kept: KeptExchanges, { player, bent, about, allows, until }: PlannedTrial): ReturnType<Trial> {
  const ours = await OurWorld.open(player, bent)
  const comparison = new Comparison(about)
  const steps = kept.steps.filter(({ step }) => step <= until)
  try {
    await compareSequence({ steps, ours, theirs: kept.again(), comparison, allows })
  } finally {
    await ours.close()
  }
  return { calls: comparison.report().calls, differences: comparison.differencesInSteps() }
}

/** Links of ours may begin with the case's server or with this one, with the prefix of the world or without. */
function basesOf(url: string, { publicUrl, world }: Case['header']): string[] {
  return [publicUrl, url].flatMap((base) =>
    base === undefined ? [] : [`${stripSlash(base)}/w/${world}`, stripSlash(base)],
  )
}

const stripSlash = (url: string) => url.replace(/\/+$/, '')

/** Waits before each call, so that at most this many start in a second. */
function paceAt(rate: number, timer: () => number): () => Promise<void> {
  let next = 0
  return async () => {
    const now = timer()
    if (next > now) await wait(next - now)
    next = Math.max(next, now) + 1000 / rate
  }
}
