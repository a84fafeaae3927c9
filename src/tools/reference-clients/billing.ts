import { XMLParser } from 'fast-xml-parser'
import type { SubscriptionStatus } from 'vendor-cloud/types'
import { persist, wait } from './retries.ts'
import { LostAnswer, Refusal, type Reply, send, type Wire } from './wire.ts'

export interface BillingOptions extends Wire {
  /** The secret is a string, because leading zeros are significant. */
  secret: string
  /** Returns milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number | Promise<number>
  /** Called once if the interface announces its deprecation or shutdown. */
  onNotice?: (notice: { deprecation?: string; sunset?: string }) => void
}

export interface BillingClient {
  status(purchaseID: string): Promise<SubscriptionStatus>
  /** Polls until access to the purchase has ended. After failures, the pauses become longer. */
  follow(purchaseID: string, everyMs: number): AsyncGenerator<SubscriptionStatus, void>
}

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const NAMESPACE = 'http://ws.iap.vendor.com/'
const UNKNOWN_ERROR = '-1'
const parser = new XMLParser({ removeNSPrefix: true, parseTagValue: false, htmlEntities: true })

/** Both INVALID_SECRET (300) and EXPIRED_SERVICE_TOKEN (301) require a new token. */
const tokenFaults = ['300', '301']

/** A cancelled purchase remains valid until its end date, because it was paid for. */
export function hasAccess({ subscriptionStatus, subscriptionEndDate }: SubscriptionStatus, now: number): boolean {
  return subscriptionStatus === 'ACTIVE' || endOf(subscriptionEndDate) > now
}

export function createBillingClient(options: BillingOptions): BillingClient {
  const { secret, now = Date.now, onNotice } = options
  /** A token is valid for 30 days. Parallel calls share one request for a token. */
  let token: Promise<string> | undefined
  let hasReported = false

  /** Both operations can be repeated safely, because one only reads and the other only creates a token. */
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
    if (hasReported || (!deprecation && !sunset)) return
    hasReported = true
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
        // Another call may already have requested a new token.
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

/** The vendor writes timestamps in GMT without a time zone. */
function endOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`)
}

function toCall(operation: string, inputs: Record<string, string>): RequestInit {
  const children = Object.entries(inputs).map(([name, value]) => `<${name}>${escapeText(value)}</${name}>`)
  const content = `<n:${operation} xmlns:n="${NAMESPACE}">${children.join('')}</n:${operation}>`
  const body = `<e:Envelope xmlns:e="${SOAP}"><e:Body>${content}</e:Body></e:Envelope>`
  return { method: 'POST', headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }, body }
}

function readAnswer(reply: Reply, operation: string): unknown {
  const { Fault: fault, ...message } = bodyOf(reply)
  if (fault) {
    const { errorCode = '', errorMessage = fault.faultstring } = fault.detail?.WebServiceException ?? {}
    const isFinal = reply.status === 500 && errorCode !== UNKNOWN_ERROR
    throw new Refusal(reply, [errorCode], `${operation}: ${errorCode} ${errorMessage}`, isFinal)
  }
  const answer = message[`${operation}Response`]
  if (!answer) throw new LostAnswer(`${operation}: the message has no response`)
  return answer.output
}

type SoapBody = { Fault?: SoapFault } & Record<string, { output: unknown } | undefined>
interface SoapFault {
  faultstring: string
  detail?: { WebServiceException?: { errorCode: string; errorMessage: string } }
}

/** A SOAP fault has status 500 but is a valid message. */
function bodyOf(reply: Reply): SoapBody {
  const isXml = reply.headers.get('content-type')?.startsWith('text/xml')
  if (!isXml) throw new Refusal(reply, [], `the billing interface responded with ${reply.status}`)
  try {
    return (parser.parse(reply.text) as { Envelope: { Body: SoapBody } }).Envelope.Body
  } catch (error) {
    throw new LostAnswer('the response is not SOAP', { cause: error })
  }
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
