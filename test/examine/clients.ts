import type { DocumentName } from '../../src/examine/check.ts'
import type { RunningClient } from '../../src/examine/examination.ts'
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

const known = {
  VENDOR_CLOUD_PROF_ID: 'web-alice',
  VENDOR_CLOUD_GUID: 'splus-carol',
  VENDOR_CLOUD_DEALER: 'dealer-erin',
  VENDOR_CLOUD_TOKEN: 'token-home',
  VENDOR_CLOUD_PARTNER_CODE: 'partner-1001',
  VENDOR_CLOUD_SELLER_SECRET: '123456789012',
  VENDOR_CLOUD_PURCHASE_ID: 'purchase-active',
  HEARTBEAT_SECONDS: '0.2',
}

export function launchTestClient(environment: Environment, flaw?: string): RunningClient {
  const document = environment['VENDOR_CLOUD_SCENARIO']!.split('-')[0] as DocumentName
  const stopped = new AbortController()
  const ended = clients[document]({ ...known, ...environment }, stopped.signal, flaw).then(
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
