import { LostAnswer, Refusal } from 'vendor-cloud/clients'
import { type Environment, play } from '../../../examples/clients/typescript/examined-client.ts'
import type { RunningClient } from '../../../src/tools/examine/examination.ts'
import { known } from '../../../src/tools/examine/known.ts'
import { type Flaw, flawOf } from './flaws.ts'
import { inProcess } from './run.ts'

/** The reference clients in this process, wrong by one check alone, or right. */
export function launchTestClient(given: Readonly<Record<string, string>>, check?: string): RunningClient {
  const flaw = check === undefined ? {} : flawOf(check)
  const environment = { ...known, HEARTBEAT_SECONDS: '0.5', ...given, ...flaw.environment }
  return inProcess(async (signal) => {
    try {
      await run(environment, flaw, signal)
    } catch (error) {
      // As the program has it: what the vendor will not do is no crash.
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
