import type { Environment } from '../../../src/tools/examine/check.ts'
import { always, scenarios } from '../../../src/tools/examine/scenarios/contents.ts'
import { RETRY } from '../../../src/tools/examine/scenarios/event-streams.ts'
import {
  type CheckReport,
  examine,
  type ExaminationOptions,
  type ExaminationReport,
  type RunningClient,
} from '../../../src/tools/examine/examination.ts'
import type { Ending } from '../../../src/tools/examine/session.ts'
import type { VendorCloud } from '../../../src/index.ts'

let worlds = 0

/** Runs one scenario on the test's server, which sends heartbeats every half second. */
export function playScenario(
  server: VendorCloud,
  scenario: string,
  launch: (environment: Environment) => RunningClient,
  options: Partial<ExaminationOptions> = {},
): Promise<ExaminationReport> {
  return examine({
    scenarios: scenarios.filter(({ name }) => name === scenario),
    always,
    seed: 'matrix',
    patience: 5000,
    timer: () => performance.now(),
    open: (name, seed) => server.world({ name: `${name}-${worlds++}`, seed, streamRetryMs: RETRY }),
    launch,
    ...options,
  })
}

export function inProcess(play: (signal: AbortSignal) => Promise<unknown>): RunningClient {
  const stopped = new AbortController()
  const ended = play(stopped.signal).then(
    (): Ending => ({ code: 0 }),
    (): Ending => ({ code: stopped.signal.aborted ? 0 : 1 }),
  )
  return {
    ended,
    async stop() {
      stopped.abort()
      await ended
      return true
    },
  }
}

export function toText({ name, verdict, scenario, problem, evidence }: CheckReport): string {
  const wire = evidence.map(
    ({ method, path, query, status, why }) => `${method} ${path}?${query} ${status} ${why?.message ?? ''}`,
  )
  return `${name}: ${verdict} in ${scenario}: ${problem ?? ''} ${wire.join('; ')}`
}
