import { createHash } from 'node:crypto'
import type { CallStep, Case } from '#contract/files/case.ts'
import { Bindings } from '#contract/files/placeholders.ts'
import { choiceDraft } from '#contract/records/control/choice-values.ts'
import type { ComparisonReport } from '#contract/records/control/comparison.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { CasePlayer } from '../cases/player/case-player.ts'
import type { CaseServer } from '../cases/player/case-server.ts'
import type { Request } from '../cases/player/request.ts'
import { createRequester } from '../cases/player/undici-request.ts'
import { Evidence } from './candidates.ts'
import { Comparison } from './comparison.ts'
import { type Choices, explainDifferences, explainRows } from './explanations.ts'
import { StoredExchanges } from './stored-exchanges.ts'
import type { Rate } from './rate.ts'
import { compareSequence, type SequencePlan } from './sequence.ts'
import { Side } from './side.ts'

export interface CompareOptions {
  upstream: URL
  profile?: VendorProfile | undefined
  allows(asked: CallStep): boolean
  /** Limits the requests to the upstream. Default: no limit. */
  rate?: Rate | undefined
  /** Values for the numbered placeholders of the case, because the upstream requires the real secrets. */
  secrets: ReadonlyMap<number, string>
  texts: boolean
}

export interface Compared {
  report: ComparisonReport
  /** Profile of the local world, together with the choices that remove differences. */
  learned: VendorProfile
  choices: Choices
}

/** Sends the requests to the upstream and a local world, and finds choices that explain the differences. */
export async function compareCase(given: Case, server: CaseServer, options: CompareOptions): Promise<Compared> {
  const { header } = given
  const { upstream, texts, secrets, allows, rate } = options
  let player = await CasePlayer.open(header, server)
  const bases = { ours: basesOf(player.world.url, header), theirs: [stripSlash(upstream.href)] }
  const run = async (
    profile: VendorProfile | undefined,
    plan: Pick<SequencePlan, 'steps' | 'theirs' | 'kept' | 'evidence' | 'rate' | 'comparison'>,
  ) => {
    if (profile) await player.world.setProfile(profile)
    const ours = new Side(server.request, player.bindings)
    try {
      await compareSequence({ ...plan, player, ours, allows })
    } finally {
      ours.close()
    }
  }
  try {
    const kept = new StoredExchanges()
    const evidence = new Evidence()
    const requester = createRequester(upstream.origin, { isForeign: true })
    const theirs = openUpstream(header, options, requester.request)
    const comparison = new Comparison({ upstream: upstream.href, bases, texts, secrets: secrets.values() })
    const plan = { steps: given.steps, theirs, kept, evidence, rate, comparison }
    await run(options.profile, plan).finally(() => requester.close())
    const profile = player.world.profile()
    const withChoices = (name: string, choices: Choices) =>
      ({ ...profile, profile: name, choices: { ...profile?.choices, ...choices } }) as VendorProfile
    const lastStep = kept.steps.at(-1)?.step ?? 0
    const inSteps = comparison.differencesInSteps().filter(({ step }) => step <= lastStep)
    const { choices, byKey } = await explainDifferences(inSteps, {
      candidates: evidence.candidates(profile?.choices),
      async trial(tried, until) {
        player = await CasePlayer.again(player)
        const steps = kept.steps.filter(({ step }) => step <= until)
        const again = comparison.again()
        await run(withChoices('trial', tried), { steps, theirs: kept.again(), comparison: again })
        return { calls: again.calls, differences: again.differencesInSteps() }
      },
      fits: (tried) => choiceDraft.safeParse({ ...profile?.choices, ...tried }).success,
      lastStep,
    })
    const report = comparison.report()
    const differences = explainRows({ whole: report.differences, inSteps, byKey })
    const named = profile && { profile: profile.profile }
    return { report: { ...report, ...named, differences }, learned: withChoices('learned', choices), choices }
  } finally {
    await player.close()
  }
}

function openUpstream({ tokens }: Case['header'], { upstream, secrets }: CompareOptions, request: Request): Side {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const bindings = new Bindings(tokens, { sha256, invent: (shape) => shape })
  for (const [n, value] of secrets) bindings.set(n, value)
  const prefix = stripSlash(upstream.pathname)
  return new Side((call) => request({ ...call, prefix }), bindings)
}

/** Links may start with the address of the recorded server or of this one, and may contain the world's prefix. */
function basesOf(url: string, { publicUrl, world }: Case['header']): string[] {
  return [publicUrl, url].flatMap((base) =>
    base === undefined ? [] : [`${stripSlash(base)}/w/${world}`, stripSlash(base)],
  )
}

const stripSlash = (url: string) => url.replace(/\/+$/, '')
