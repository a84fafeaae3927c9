import { ControlError } from '../client/errors.ts'
import type { Examination, JournalEntry } from '../client/types.ts'
import type { VendorCloudWorld } from '../client/world.ts'
import type { Check, DocumentName, Environment, Scenario, Verdict } from './check.ts'
import { Transcript } from './transcript.ts'
import type { Load } from './own-time.ts'
import { type Ending, Session } from './session.ts'

export interface RunningClient {
  ended: Promise<Ending>
  load?: () => Load | undefined
  /** Stops the client. Resolves with false if the client did not stop and had to be killed. */
  stop(): Promise<boolean>
}

export interface ExaminationOptions {
  scenarios: readonly Scenario[]
  /** Checks that apply to every scenario of the document. */
  always: Readonly<Record<DocumentName, readonly Check[]>>
  seed: string
  profile?: string | undefined
  /** Timeout in milliseconds, excluding time in which the client waits for a processor. */
  patience: number
  /** Timeout until the first request, in milliseconds. Infinity means no limit. */
  firstPatience?: number
  /** Returns real time in milliseconds since an arbitrary starting point. */
  timer: () => number
  open: (name: string, seed: string) => Promise<VendorCloudWorld>
  launch: (environment: Environment, scenario: Scenario) => RunningClient
  /** Number of clients that run in parallel. Clients mostly wait. Default: 8. */
  atOnce?: number
  /** Scenarios that have not finished when the signal is aborted are omitted from the report. */
  signal?: AbortSignal
  onScenario?: (scenario: ScenarioReport) => void
  /** Called at the start, and whenever a scenario starts or ends. */
  onProgress?: (progress: Examination) => void
}

export interface ScenarioReport extends Pick<Scenario, 'name' | 'document' | 'task'> {
  /** A scenario with a problem does not pass, whatever its checks report. */
  problem?: string
  /** If the client crashed, the checks that it did not reach count as failed. */
  hasCrashed?: boolean
  /** If the client exited although the scenario waited for more requests, the failed checks report this. */
  early?: string
  requests: number
}

export interface CheckReport extends Omit<Check, 'evaluate' | 'isDisplayed'> {
  document: DocumentName
  verdict: 'passed' | 'failed' | 'not covered'
  scenario?: string
  problem?: string
  evidence: JournalEntry[]
}

export interface ExaminationReport {
  /** A: all checks passed. B: no MUST failed. C: at most a tenth of the covered MUSTs failed. D: more than that. */
  grade: 'A' | 'B' | 'C' | 'D'
  seed: string
  profile?: string
  isPartial?: true
  scenarios: ScenarioReport[]
  checks: CheckReport[]
}

/** Maximum number of entries listed for a failure. Without a particular entry, the last ones are listed. */
const MOST_EVIDENCE = 10
const LAST_ACTS = 3

/** Appointment slots start every half hour. */
const HALF_HOUR = 1_800_000

interface Act {
  scenario: Scenario
  report: ScenarioReport
  transcript: Transcript
}

export async function examine(options: ExaminationOptions): Promise<ExaminationReport> {
  const { scenarios, atOnce = 8, signal, onScenario, onProgress } = options
  const acts: Act[] = []
  const queue = [...scenarios]
  const tell = () => onProgress?.(toProgress(options, queue, acts))
  const work = async () => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
      if (signal?.aborted) return
      tell()
      const act = await play(scenario, options)
      if (signal?.aborted) return
      acts.push(act)
      onScenario?.(act.report)
      tell()
    }
  }
  tell()
  await Promise.all(Array.from({ length: atOnce }, work))
  acts.sort((a, b) => scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario))
  return { ...toExamination(options, acts), ...(signal?.aborted && { isPartial: true }) }
}

function toProgress(options: ExaminationOptions, waiting: readonly Scenario[], acts: readonly Act[]): Examination {
  const { grade, seed, profile, checks } = toExamination(options, acts)
  return {
    ...(acts.length > 0 && { grade }),
    seed,
    ...(profile !== undefined && { profile }),
    scenarios: options.scenarios.map((scenario) => {
      const { name } = scenario
      const act = acts.find((each) => each.scenario === scenario)
      if (!act) return { name, state: waiting.includes(scenario) ? 'waiting' : 'running' }
      const { problem } = act.report
      return { name, state: 'done', ...(problem !== undefined && { problem }) }
    }),
    checks: checks.map(({ name, level, verdict, advice }) => ({ name, level, verdict, advice })),
  }
}

function toExamination(
  { scenarios, always, seed, profile }: ExaminationOptions,
  acts: readonly Act[],
): ExaminationReport {
  const played = acts.flatMap(({ scenario, report, transcript }) =>
    scenario.checks.map((check) => {
      const { problem: _, ...calm } = report
      return check.isDisplayed?.(transcript) === false
        ? toReport(check, scenario.document, 'not covered', { report: calm, transcript })
        : toReport(check, scenario.document, check.evaluate(transcript), { report, transcript })
    }),
  )
  const general = [...new Set(scenarios.map(({ document }) => document))].flatMap((document) =>
    always[document].map((check) => evaluateAll(check, document, acts)),
  )
  const checks = [...general, ...played]
  const named = profile === undefined ? { seed } : { seed, profile }
  return { grade: gradeOf(checks), ...named, scenarios: acts.map(({ report }) => report), checks }
}

async function play(scenario: Scenario, options: ExaminationOptions): Promise<Act> {
  const { seed, patience, timer, firstPatience, open, launch } = options
  const world = await open(scenario.name, `${seed}:${scenario.name}`)
  let loss: string | undefined
  const bearLoss = async (error: unknown) => {
    loss ??= await describeLoss(world, error)
  }
  try {
    await beginWithSlot(world)
    const session = new Session({ world, seed, patience, timer })
    if (scenario.fault) await world.faults.add(scenario.fault)
    await scenario.prepare?.(session)
    await session.mark('start')
    const about = { VENDOR_CLOUD_URL: world.url, VENDOR_CLOUD_SCENARIO: scenario.name }
    const environment = { ...scenario.environment, ...about }
    const client = launch(environment, scenario)
    if (client.load) session.watch(client.load)
    void client.ended.then((ending) => session.end(ending))
    const { ending, hasEnded } = await direct(scenario, session, client, { firstPatience, bearLoss })
    const journal = (await session.read().catch(bearLoss)) ?? []
    const isAfterStart = ({ id }: JournalEntry) => id > session.marks.get('start')!
    // The client may have deleted or reset its world, which also deletes the journal.
    const kept = journal.some(isAfterStart) ? journal : session.latest
    const entries = kept.filter(isAfterStart)
    const transcript = new Transcript(entries, session.marks, session.counts)
    const requests = transcript.requests().length
    const problem = loss ?? findProblem(requests, session, ending, hasEnded)
    const { name, document, task } = scenario
    const hasFailed = ending !== undefined && (ending.signal !== undefined || ending.code !== 0)
    const hasCrashed = hasFailed || loss !== undefined
    const early = session.unmet === undefined ? {} : { early: describeExit(requests, session.unmet) }
    const report = { name, document, task, ...(problem !== undefined && { problem }), hasCrashed, ...early, requests }
    return { scenario, transcript, report }
  } finally {
    await world.delete().catch(bearLoss)
  }
}

async function direct(
  scenario: Scenario,
  session: Session,
  client: RunningClient,
  { firstPatience, bearLoss }: { firstPatience: number | undefined; bearLoss: (error: unknown) => Promise<void> },
): Promise<{ ending: Ending | undefined; hasEnded: boolean }> {
  let ending: Ending | undefined
  let hasEnded = false
  try {
    if (await session.begin(firstPatience)) await scenario.play(session)
  } catch (error) {
    await bearLoss(error)
  } finally {
    ending = session.ending
    hasEnded = await client.stop()
  }
  return { ending, hasEnded }
}

/** A client that can reach the control API may delete the world during a scenario. Other errors are thrown. */
async function describeLoss(world: VendorCloudWorld, error: unknown): Promise<string> {
  if (!(error instanceof ControlError) || error.status === 0) throw error
  const isThere = await world.summary().then(
    () => true,
    (reason: unknown) => !(reason instanceof ControlError && reason.status === 404),
  )
  return isThere ? `its world changed unexpectedly: ${error.message}` : 'its world is gone: the client deleted it'
}

/** The first slot could otherwise start before the client books it. */
async function beginWithSlot({ clock }: VendorCloudWorld): Promise<void> {
  const { now } = await clock.read()
  await clock.advance(`PT${(HALF_HOUR - (Date.parse(now) % HALF_HOUR)) / 1000}S`)
}

/** A client that ends with an error during a scenario does not pass it, whatever it did before. */
function findProblem(requests: number, { missed, silence }: Session, ending: Ending | undefined, hasEnded: boolean) {
  if (ending?.signal !== undefined) return `the client was ended by ${ending.signal}`
  if (ending && ending.code !== 0) return `the client exited with code ${ending.code}`
  if (requests === 0) return 'the client never called'
  if (missed !== undefined) {
    return ending ? `the client exited before ${missed}` : `the client hangs: no sign of ${missed}`
  }
  if (silence !== undefined) return `the client hangs: it sent nothing during a wait of ${silence}`
  return hasEnded ? undefined : 'the client hangs: it did not exit on SIGTERM'
}

function evaluateAll(check: Check, document: DocumentName, acts: readonly Act[]): CheckReport {
  const own = acts.filter(({ scenario }) => scenario.document === document)
  const verdicts = own.map(({ transcript, report }) => ({ verdict: check.evaluate(transcript), report, transcript }))
  const worst =
    verdicts.find(({ verdict }) => typeof verdict !== 'string') ?? verdicts.find(({ verdict }) => verdict === 'passed')
  if (!worst || typeof worst.verdict === 'string') return toReport(check, document, worst?.verdict ?? 'not covered')
  const { problem: _, early: __, ...report } = worst.report
  return toReport(check, document, worst.verdict, { report, transcript: worst.transcript })
}

function describeExit(requests: number, unmet: string): string {
  const count = requests === 1 ? '1 request' : `${requests} requests`
  return `the client exited after ${count}, but the scenario waited for ${unmet}`
}

function toReport(
  evaluated: Check,
  document: DocumentName,
  verdict: Verdict,
  played?: Pick<Act, 'report' | 'transcript'>,
): CheckReport {
  const { evaluate: _, isDisplayed: __, ...check } = evaluated
  const wrong = typeof verdict === 'string' ? entriesOfProblem(verdict, played) : verdict
  const { name, early, problem = wrong.length > 0 ? early : undefined } = played?.report ?? {}
  return {
    ...check,
    document,
    verdict: wrong.length > 0 ? 'failed' : (verdict as 'passed' | 'not covered'),
    ...(name !== undefined && { scenario: name }),
    ...(problem !== undefined && { problem }),
    evidence: wrong.slice(0, MOST_EVIDENCE),
  }
}

/** A failed client passes no check. A crashed client also fails the checks that it did not reach. */
function entriesOfProblem(verdict: Verdict, played?: Pick<Act, 'report' | 'transcript'>): readonly JournalEntry[] {
  if (played?.report.problem === undefined) return []
  return verdict === 'passed' || played.report.hasCrashed ? played.transcript.entries.slice(-LAST_ACTS) : []
}

function gradeOf(checks: readonly CheckReport[]): ExaminationReport['grade'] {
  const musts = checks.filter(({ level, verdict }) => level === 'MUST' && verdict !== 'not covered')
  const failed = musts.filter(({ verdict }) => verdict === 'failed').length
  if (failed > 0 || musts.length === 0) return failed * 10 <= musts.length && musts.length > 0 ? 'C' : 'D'
  return checks.some(({ level, verdict }) => level === 'SHOULD' && verdict === 'failed') ? 'B' : 'A'
}
