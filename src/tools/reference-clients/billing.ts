import type { SubscriptionStatus } from 'vendor-cloud/types'
import { persist, wait } from './retries.ts'
import { readAnswer, toCall } from './soap.ts'
import { Refusal, send, type Wire } from './wire.ts'

export interface BillingOptions extends Wire {
  /** The secret is text: leading zeros belong to it. */
  secret: string
  /** Milliseconds since the epoch; the platform's clock unless told. */
  now?: () => number | Promise<number>
  /** Called once when the interface announces its end. */
  onNotice?: (notice: { deprecation?: string; sunset?: string }) => void
}

export interface BillingClient {
  status(purchaseID: string): Promise<SubscriptionStatus>
  /** Polls until the purchase has ended; after a failure it waits longer each time. */
  follow(purchaseID: string, everyMs: number): AsyncGenerator<SubscriptionStatus, void>
}

/** INVALID_SECRET concerns the token too, and EXPIRED_SERVICE_TOKEN says so. */
const tokenFaults = ['300', '301']

/** A cancelled purchase stays good until its end, since it was paid for. */
export function hasAccess({ subscriptionStatus, subscriptionEndDate }: SubscriptionStatus, now: number): boolean {
  return subscriptionStatus === 'ACTIVE' || endOf(subscriptionEndDate) > now
}

export function createBillingClient(options: BillingOptions): BillingClient {
  const { secret, now = Date.now, onNotice } = options
  /** A token is good for 30 days; calls side by side share the request for one. */
  let token: Promise<string> | undefined
  let isTold = false

  /** Both operations are safe to repeat: one only reads, the other makes a token that nobody misses. */
  function call<T>(operation: string, inputs: Record<string, string>, tries?: number): Promise<T> {
    const attempt = async () => {
      const reply = await send(options, '/iap/ws/RTCService', toCall(operation, inputs))
      noticeEnd(reply.headers)
      return readAnswer(reply, operation) as T
    }
    return persist(options, true, attempt, tries)
  }

  function noticeEnd(headers: Headers): void {
    const [deprecation, sunset] = ['deprecation', 'sunset'].map((name) => headers.get(name))
    if (isTold || (!deprecation && !sunset)) return
    isTold = true
    onNotice?.({ ...(deprecation && { deprecation }), ...(sunset && { sunset }) })
  }

  function getToken(tries?: number): Promise<string> {
    token ??= call<string>('createServiceToken', { secret }, tries).catch((error: unknown) => {
      token = undefined
      throw error
    })
    return token
  }

  async function status(purchaseID: string, tries?: number): Promise<SubscriptionStatus> {
    for (let renewed = false; ; renewed = true) {
      const used = getToken(tries)
      const serviceToken = await used
      try {
        return toStatus(await call('getSubscriptionStatus', { purchaseID, serviceToken }, tries))
      } catch (error) {
        const isToken = error instanceof Refusal && tokenFaults.some((code) => error.codes.includes(code))
        if (!isToken || renewed) throw error
        // Another call may have renewed it meanwhile.
        if (token === used) token = undefined
      }
    }
  }

  async function* follow(purchaseID: string, everyMs: number): AsyncGenerator<SubscriptionStatus, void> {
    for (;;) {
      const current = await status(purchaseID, Number.POSITIVE_INFINITY)
      yield current
      if (!hasAccess(current, await now())) return
      await wait(options, everyMs)
    }
  }

  return { status: (purchaseID) => status(purchaseID), follow }
}

type Texts<T> = { [Name in keyof T]: T[Name] extends number ? string : T[Name] }

function toStatus(output: Texts<SubscriptionStatus>): SubscriptionStatus {
  return { ...output, localPrice: Number(output.localPrice), supplyPrice: Number(output.supplyPrice) }
}

/** The vendor writes GMT without a zone. */
function endOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`)
}
