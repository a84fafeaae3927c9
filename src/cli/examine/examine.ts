import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { documents, type Environment, type Scenario } from '#tools/examine/check.ts'
import { examine as examineClient, type RunningClient } from '#tools/examine/examination.ts'
import { always, listChecks, scenarios } from '#tools/examine/scenarios/contents.ts'
import { RETRY } from '#tools/examine/scenarios/event-streams.ts'
import { known } from '#tools/examine/known.ts'
import { formats, writeList, writers } from '#tools/examine/reports.ts'
import type { Ending } from '#tools/examine/session.ts'
import { createWorldClient } from '#tools/client/world-client.ts'
import { environmentWith, readConfig } from '#server/config.ts'
import { newSeed, realTimer } from '#server/runtime.ts'
import { readyMadeNames } from '#contract/records/control/ready-made.ts'
import { startServer } from '#server/server.ts'
import { defineCommand } from '../command.ts'
import { readProfile } from '../option-values.ts'
import { launchProcess } from './examined-process.ts'
import { type CommandOutput, exitCodes, oneOf, refuseExisting, UsageError, writeResult } from '../input-output.ts'
import { createDirectFetch } from '../client/loopback.ts'

/** Seconds between heartbeats. They are frequent, so that a client notices a stalled stream soon. */
const HEARTBEAT = '1'
/** Minimum time in milliseconds to wait for the first request of the client. */
const START = 10_000
/** Maximum length, because a world's seed of at most 200 characters also contains the name of the scenario. */
const LONGEST_SEED = 128
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const
/** Milliseconds to wait at the end, because the console polls once per second and must load the final state. */
const LAST_LOOK = 1500

/** Exit codes: 1 if a MUST or the client failed, 2 if it cannot run, 130 with a partial report if interrupted. */
export const examine = defineCommand({
  words: { '[COMMAND...]': 'the command that starts the client and its arguments, after --' },
  options: {
    only: { takes: 'DOCUMENTS', about: 'Documents to examine', default: documents.join(',') },
    seed: { takes: 'S', about: 'Seed for random choices (default: generated)' },
    profile: { takes: 'NAME|FILE', about: 'Profile to apply: strict, lenient, rough, or a file' },
    format: { takes: 'FORMAT', about: formats.join(', '), default: 'text' },
    out: { takes: 'FILE', about: 'Write the report to this file; an existing file is not overwritten' },
    timeout: { takes: 'S', about: 'Seconds to wait for each client action', default: '10' },
    attach: { about: 'Start the client by hand for each scenario, without COMMAND' },
    list: { about: 'Print every check' },
  },
  example: 'examine --only events -- node my-client.js',
  async run({ values, words: [program, ...words] }, output) {
    const only = values.only.split(',').map((name) => oneOf(name.trim(), documents))
    if (values.list) {
      output.stdout.write(writeList(listChecks().filter(({ document }) => only.includes(document))))
      return exitCodes.ok
    }
    if (!program && !values.attach) throw new UsageError('no command to run. Add it after --')
    refuseExisting(values.out)
    const seed = values.seed ?? newSeed()
    if (seed.length > LONGEST_SEED) throw new UsageError(`--seed is longer than ${LONGEST_SEED} characters`)
    const format = oneOf(values.format, formats)
    const patience = toMilliseconds(values.timeout)
    const profile = values.profile === undefined ? undefined : await readProfile(values.profile)
    // Only built-in profiles may have these names.
    const given = readyMadeNames.find((name) => name === values.profile) ?? profile
    const settings = { PORT: '0', HEARTBEAT_SECONDS: HEARTBEAT, LOG_LEVEL: 'silent' }
    const server = await startServer(readConfig(settings))
    const control = createWorldClient(server.url, { key: server.controlKey, fetch: createDirectFetch() })
    // Publishes progress in order and ignores errors.
    let publishing: Promise<unknown> = Promise.resolve()
    const interrupted = new AbortController()
    const interruption = new Promise<Ending>((resolve) => {
      interrupted.signal.addEventListener('abort', () => resolve({ code: 0 }))
    })
    // Each client is in a separate process group, so Ctrl-C in the terminal does not interrupt the client.
    const running = new Set<RunningClient>()
    const interrupt = () => {
      interrupted.abort()
      for (const client of running) void client.stop()
    }
    const chosen = scenarios.filter(({ document }) => only.includes(document))
    let done = 0
    let failure: string | undefined
    const runUntilExit = async (client: RunningClient) => {
      running.add(client)
      const ending = await client.ended
      running.delete(client)
      if (ending.failure === undefined) return
      failure = ending.failure
      interrupt()
    }
    for (const signal of INTERRUPTS) process.on(signal, interrupt)
    if (server.serves('/_console')) output.stderr.write(`Watch the examination: ${server.url}/_console#/examination\n`)
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
          if (program === undefined) return attach(environment, scenario, interruption, output)
          const client = launchProcess(program, words, environmentWith(environment))
          void runUntilExit(client)
          if (interrupted.signal.aborted) void client.stop()
          return client
        },
        // A process needs some time to start. If a person operates the client, there is no limit.
        firstPatience: program === undefined ? Number.POSITIVE_INFINITY : Math.max(patience, START),
        timer: realTimer,
        ...(program === undefined && { atOnce: 1 }),
        onScenario: ({ name, requests, problem }) => {
          const counted = `[${++done}/${chosen.length}]`
          output.stderr.write(
            `${counted} ${name}: ${problem ?? `${requests} ${requests === 1 ? 'request' : 'requests'}`}\n`,
          )
        },
        onProgress: (progress) => {
          publishing = publishing.then(() => control.examination.publish(progress)).catch(() => {})
        },
        signal: interrupted.signal,
      })
      if (failure !== undefined) throw new UsageError(`cannot run ${program}: ${failure}`)
      await writeResult(writers[format](report), values.out, output)
      await publishing
      if (report.isPartial) return exitCodes.interrupted
      if (output.stderr.isTTY) await wait(LAST_LOOK)
      const failed = report.checks.some(({ level, verdict }) => level === 'MUST' && verdict === 'failed')
      const hasProblem = report.scenarios.some(({ problem }) => problem !== undefined)
      return failed || hasProblem ? exitCodes.findings : exitCodes.ok
    } finally {
      for (const signal of INTERRUPTS) process.off(signal, interrupt)
      await server.close()
    }
  },
})

function toMilliseconds(seconds: string): number {
  const ms = Number(seconds) * 1000
  if (!(ms > 0 && ms <= 3_600_000))
    throw new UsageError(`--timeout ${seconds} is out of range. Use more than 0 and at most 3600 seconds`)
  return ms
}

function attach(
  environment: Environment,
  { name, task }: Scenario,
  ended: Promise<Ending>,
  { stderr }: CommandOutput,
): RunningClient {
  const exports = Object.entries(environment).map(([variable, value]) => `  export ${variable}=${value}\n`)
  const words = `${name}: ${task}\n\n${exports.join('')}`
  stderr.write(`\n${words}\nStart the client in another terminal with this environment. Waiting for its first call.\n`)
  return {
    ended,
    async stop() {
      stderr.write('This scenario has ended. Stop the client.\n')
      return true
    },
  }
}
