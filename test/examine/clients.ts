import { LostAnswer, Refusal } from 'vendor-cloud/clients'
import { type Environment, play } from '../../examples/examined-client.ts'
import type { RunningClient } from '../../src/examine/examination.ts'
import { known } from '../../src/examine/known.ts'
import type { Ending } from '../../src/examine/stage.ts'
import { type Flaw, flawOf } from './flaws.ts'

/** The reference clients in this process, wrong by one check alone. */
export function launchTestClient(given: Readonly<Record<string, string>>, check: string): RunningClient {
  const flaw = flawOf(check)
  const environment = { ...known, HEARTBEAT_SECONDS: '0.5', ...given, ...flaw.environment }
  const stopped = new AbortController()
  const ended = run(environment, flaw, stopped.signal).then(
    (): Ending => ({ code: 0 }),
    (error: unknown): Ending => ({ code: stopped.signal.aborted || isTold(error) ? 0 : 1 }),
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

async function run(environment: Environment, { before, fetch: call, pause }: Flaw, signal: AbortSignal): Promise<void> {
  await before?.(
    (path, headers = {}, init = {}) => fetch(environment['VENDOR_CLOUD_URL'] + path, { ...init, headers, signal }),
    environment,
  )
  await play(environment, { signal, ...(call && { fetch: call }), ...(pause && { pause }) })
}

/** As the program has it: what the vendor will not do is no crash. */
function isTold(error: unknown): boolean {
  return error instanceof Refusal || error instanceof LostAnswer
}
