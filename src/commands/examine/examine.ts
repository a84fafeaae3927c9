import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { documents, type DocumentName, type Environment, type Scenario } from '../../tools/examine/check.ts'
import { examine as examineClient, type RunningClient } from '../../tools/examine/examination.ts'
import { always, listChecks, scenarios } from '../../tools/examine/scenarios/contents.ts'
import { RETRY } from '../../tools/examine/scenarios/event-streams.ts'
import { known } from '../../tools/examine/known.ts'
import { formats, writeList, writers } from '../../tools/examine/reports.ts'
import type { Examination, VendorProfile } from '../../tools/control-client/types.ts'
import type { VendorCloudWorld } from '../../tools/control-client/world.ts'
import { createWorldClient } from '../../tools/control-client/world-client.ts'
import { environmentWith, readConfig } from '../../server/config.ts'
import { newSeed, realTimer } from '../../server/runtime.ts'
import { readyMadeNames } from '../../contract/records/control/ready-made.ts'
import { ProfileError, readProfileFile } from '../../server/seed/profile-file.ts'
import { startServer } from '../../server/server.ts'
import { flag, oneOf, parseRunner, text, UsageError } from '../arguments.ts'
import { launchProcess } from './examined-process.ts'
import { type CommandOutput, exitCodes, refuseExisting, writeResult } from '../input-output.ts'

/** Frequent heartbeats show a stall soon. */
const HEARTBEAT = '1'
/** A client gets at least so many milliseconds until its first request. */
const START = 10_000
/** A world's seed takes 200 characters: this one and the name of its scenario. */
const LONGEST_SEED = 128
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const
/** The console asks every second, so it must have time to see the end; without a console there is none. */
const LAST_LOOK = 1500

export const examineHelp = [
  `--only DOCUMENTS     ${documents.join(', ')}; all unless told`,
  '--seed S             what varies is a function of it; one is drawn unless told',
  '--profile NAME|FILE  that the worlds have: strict, lenient, rough, or a file; none unless told',
  `--format FORMAT      ${formats.join(', ')}; text unless told`,
  '--out FILE           write the report there; never overwrites',
  '--timeout S          seconds that each act of the client is waited for; 10 unless told',
  '--attach             no COMMAND: start the client by hand, as each scenario says',
  '--list               print every check',
]

/**
 * Exits with 1 when a MUST or the client itself failed, with 130 and a partial report when interrupted, and with 2 when
 * it cannot run.
 */
export async function examine(args: string[], output: CommandOutput): Promise<number> {
  const named = { only: text, seed: text, profile: text, format: text, out: text, timeout: text }
  const { values, command } = parseRunner(args, { ...named, attach: flag, list: flag })
  const only = toDocuments(values.only)
  if (values.list) {
    output.stdout.write(writeList(listChecks().filter(({ document }) => only.includes(document))))
    return exitCodes.ok
  }
  const [program, ...words] = command
  if (!program && !values.attach) throw new UsageError('-- COMMAND is missing')
  refuseExisting(values.out)
  const seed = values.seed ?? newSeed()
  if (seed.length > LONGEST_SEED) throw new UsageError(`--seed takes at most ${LONGEST_SEED} characters`)
  const format = oneOf(values.format ?? 'text', formats)
  const patience = toMilliseconds(values.timeout ?? '10')
  const profile = values.profile === undefined ? undefined : await readProfile(values.profile)
  // No other profile may have the name of a shipped one.
  const given = readyMadeNames.find((name) => name === values.profile) ?? profile
  const settings = { PORT: '0', HEARTBEAT_SECONDS: HEARTBEAT, LOG_LEVEL: 'silent' }
  const server = await startServer(readConfig(settings))
  const control = createWorldClient(server.url, { key: server.controlKey })
  const publisher = createPublisher(control)
  const interrupted = new AbortController()
  // Clients are process groups of their own, which the terminal does not interrupt.
  const running = new Set<RunningClient>()
  const interrupt = () => {
    interrupted.abort()
    for (const client of running) void client.stop()
  }
  const chosen = scenarios.filter(({ document }) => only.includes(document))
  let done = 0
  let failure: string | undefined
  const keepUntilItEnds = async (client: RunningClient) => {
    running.add(client)
    const ending = await client.ended
    running.delete(client)
    if (ending.failure === undefined) return
    failure = ending.failure
    interrupt()
  }
  for (const signal of INTERRUPTS) process.on(signal, interrupt)
  if (server.serves('/_console')) output.stderr.write(`Watch it: ${server.url}/_console#/examination\n`)
  try {
    const report = await examineClient({
      scenarios: chosen,
      always,
      seed,
      profile: profile?.profile,
      patience,
      open: (name, seed) => control.world({ name, seed, streamRetryMs: RETRY, ...(given && { profile: given }) }),
      launch: (own, scenario) => {
        const environment = { ...known, HEARTBEAT_SECONDS: HEARTBEAT, ...own }
        if (program === undefined) return attach(environment, scenario, output)
        const client = launchProcess(program, words, environmentWith(environment))
        void keepUntilItEnds(client)
        return client
      },
      // A process takes a while to start, and a person as long as it takes.
      firstPatience: program === undefined ? Number.POSITIVE_INFINITY : Math.max(patience, START),
      timer: realTimer,
      ...(program === undefined && { atOnce: 1 }),
      onScenario: ({ name, requests, trouble }) => {
        const counted = `[${++done}/${chosen.length}]`
        output.stderr.write(
          `${counted} ${name}: ${trouble ?? `${requests} ${requests === 1 ? 'request' : 'requests'}`}\n`,
        )
      },
      onProgress: publisher.publish,
      signal: interrupted.signal,
    })
    if (failure !== undefined) throw new UsageError(`${program} cannot be run: ${failure}`)
    await writeResult(writers[format](report), values.out, output)
    await publisher.end()
    if (report.isPartial) return exitCodes.interrupted
    if (output.stderr.isTTY) await wait(LAST_LOOK)
    const failed = report.checks.some(({ level, verdict }) => level === 'MUST' && verdict === 'failed')
    const isTroubled = report.scenarios.some(({ trouble }) => trouble !== undefined)
    return failed || isTroubled ? exitCodes.findings : exitCodes.ok
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, interrupt)
    await server.close()
  }
}

/** Only the newest report is sent, one at a time; whether it arrives does not count. */
function createPublisher({ examination }: VendorCloudWorld) {
  let next: Examination | undefined
  let sending: Promise<void> | undefined
  return {
    publish(progress: Examination): void {
      next = progress
      sending ??= send()
    },
    /** Waits for the newest report to arrive, or to fail. */
    end: async () => sending,
  }

  async function send(): Promise<void> {
    for (let progress = next; progress; progress = next) {
      next = undefined
      await examination.publish(progress).catch(() => {})
    }
    sending = undefined
  }
}

async function readProfile(given: string): Promise<VendorProfile> {
  try {
    return await readProfileFile(given)
  } catch (error) {
    if (error instanceof ProfileError) throw new UsageError(`--profile: ${error.message}`)
    throw error
  }
}

function toDocuments(only: string | undefined): readonly DocumentName[] {
  const names = only === undefined ? documents : only.split(',').map((name) => name.trim())
  return names.map((name) => oneOf(name, documents))
}

function toMilliseconds(seconds: string): number {
  const ms = Number(seconds) * 1000
  if (!(ms > 0 && ms <= 3_600_000)) throw new UsageError('--timeout takes seconds, up to 3600')
  return ms
}

/** A client that somebody starts by hand ends by hand too. */
function attach(environment: Environment, { name, task }: Scenario, { stderr }: CommandOutput): RunningClient {
  const exports = Object.entries(environment).map(([variable, value]) => `  export ${variable}=${value}\n`)
  const words = `${name}: ${task}\n\n${exports.join('')}`
  stderr.write(
    `\n${words}\nStart the client in another terminal, with this environment; its first call is waited for.\n`,
  )
  return {
    ended: new Promise(() => {}),
    async stop() {
      stderr.write('This scenario is over: end the client.\n')
      return true
    },
  }
}
