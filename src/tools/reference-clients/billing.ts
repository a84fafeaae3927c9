import type { SubscriptionStatus } from 'vendor-cloud/types'
import { persist, wait } from './retries.ts'
import { readAnswer, toCall } from './soap.ts'
import { Refusal, send, type Wire } from './wire.ts'

export interface BillingOptions extends Wire {
  /** Of the seller: text, its zeros at the front included. */
  secret: string
  /** Milliseconds since the epoch; the platform's clock unless told. */
  now?: () => number | Promise<number>
  /** Told once that the interface goes away, and when. */
  onNotice?: (notice: { deprecation?: string; sunset?: string }) => void
}

export interface BillingClient {
  status(purchaseID: string): Promise<SubscriptionStatus>
  /** The status again and again, until the purchase has ended; what fails is waited for, longer each time. */
  follow(purchaseID: string, everyMs: number): AsyncGenerator<SubscriptionStatus, void>
}

/** INVALID_SECRET, which concerns the token too, and EXPIRED_SERVICE_TOKEN. */
const tokenFaults = ['300', '301']

/** Whether what was paid for may be used: a cancelled purchase stays good until its end. */
export function hasAccess({ subscriptionStatus, subscriptionEndDate }: SubscriptionStatus, now: number): boolean {
  return subscriptionStatus === 'ACTIVE' || endOf(subscriptionEndDate) > now
}

export function createBillingClient(options: BillingOptions): BillingClient {
  const { secret, now = Date.now, onNotice } = options
  /** Good for 30 days; calls that run beside each other wait for the same. */
  let token: Promise<string> | undefined
  let isTold = false

  /** Both operations only read, or make a token that nobody misses. */
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
        // Unless another call has renewed it meanwhile.
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

/** `YYYY-MM-DD HH:mm:ss` in GMT. */
function endOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`)
}
