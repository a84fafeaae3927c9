import type { DocumentName } from '../../src/examine/check.ts'
import type { RunningClient } from '../../src/examine/examination.ts'
import { known } from '../../src/examine/known.ts'
import type { Ending } from '../../src/examine/stage.ts'
import { billingClient } from './billing-client.ts'
import { eventsClient } from './events-client.ts'
import { supportClient } from './support-client.ts'
import { walletClient } from './wallet-client.ts'

type Environment = Readonly<Record<string, string>>

/** A client in this process: right, or wrong by one check alone. */
export type TestClient = (environment: Environment, signal: AbortSignal, flaw?: string) => Promise<unknown>

const clients: Readonly<Record<DocumentName, TestClient>> = {
  support: supportClient,
  events: eventsClient,
  wallet: walletClient,
  billing: billingClient,
}

export function launchTestClient(environment: Environment, flaw?: string): RunningClient {
  const document = environment['VENDOR_CLOUD_SCENARIO']!.split('-')[0] as DocumentName
  const stopped = new AbortController()
  const ended = clients[document]({ ...known, HEARTBEAT_SECONDS: '0.2', ...environment }, stopped.signal, flaw).then(
    (): Ending => ({ code: 0 }),
    (error: unknown): Ending => {
      if (!stopped.signal.aborted && process.env['EXAMINE_DEBUG'])
        process.stderr.write(`${String((error as Error).stack)}\n`)
      return { code: stopped.signal.aborted ? 0 : 1 }
    },
  )
  return {
    ended,
    async stop() {
      stopped.abort()
      await ended
    },
  }
}
