import { LostAnswer, Refusal } from 'vendor-cloud/clients'
import { expect } from 'vitest'
import { type Environment, play } from '../../../examples/clients/typescript/examined-client.ts'
import type { VendorCloud } from '../../../src/index.ts'
import type { CheckReport, RunningClient } from '../../../src/tools/examine/examination.ts'
import { known } from '../../../src/tools/examine/known.ts'
import type { listChecks } from '../../../src/tools/examine/scenarios/contents.ts'
import { type Flaw, flawOf } from './flaws.ts'
import { inProcess, playScenario, toText } from './run.ts'

/** Runs the reference clients in this process. They are correct, or have the flaw that a check detects. */
export function launchTestClient(given: Readonly<Record<string, string>>, check?: string): RunningClient {
  const flaw = check === undefined ? {} : flawOf(check)
  const environment = { ...known, HEARTBEAT_SECONDS: '0.5', ...given, ...flaw.environment }
  return inProcess(async (signal) => {
    try {
      await run(environment, flaw, signal)
    } catch (error) {
      // A rejection by the vendor does not crash a program either, so it is ignored here.
      if (!(error instanceof Refusal || error instanceof LostAnswer)) throw error
    }
  })
}

async function run(environment: Environment, { before, fetch: call, pause }: Flaw, signal: AbortSignal): Promise<void> {
  await before?.(
    (path, headers = {}, init = {}) => fetch(environment['VENDOR_CLOUD_URL'] + path, { ...init, headers, signal }),
    environment,
  )
  await play(environment, { signal, ...(call && { fetch: call }), ...(pause && { pause }) })
}

/** This check can only fail or stay uncovered, because no request shows whether the buyer still has access. */
const SILENT = ['keeps-access-to-the-end']

export function findWrong(checks: readonly CheckReport[]): CheckReport[] {
  return checks.filter(({ name, verdict }) => verdict !== (SILENT.includes(name) ? 'not covered' : 'passed'))
}

/**
 * For a check that applies to a whole document, a scenario that covers it. If necessary, this is a scenario that causes
 * no error itself.
 */
const places: Readonly<Record<string, string>> = {
  'sends-exact-parameters': 'wallet-json-order',
  'does-not-hammer': 'billing-invalid-secret',
  support: 'support-book',
  events: 'events-reset',
  wallet: 'wallet-away',
  billing: 'billing-follow',
}

/**
 * Expects that a client with this flaw fails the check for it and no other check, and that the failure lists evidence.
 */
export async function expectToFailAlone(
  server: VendorCloud,
  { name, document, scenario = places[name] ?? places[document]! }: ReturnType<typeof listChecks>[number],
  seed: string,
): Promise<void> {
  const { checks } = await playScenario(server, scenario, (given) => launchTestClient(given, name), { seed })
  const failed = checks.filter(({ verdict }) => verdict === 'failed')
  expect(
    failed.map((each) => each.name),
    failed.map(toText).join('\n'),
  ).toEqual([name])
  for (const { evidence } of failed) expect(evidence).not.toEqual([])
}
