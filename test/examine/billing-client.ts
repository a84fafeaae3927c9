import { setTimeout as wait } from 'node:timers/promises'
import { XMLParser } from 'fast-xml-parser'
import type { TestClient } from './clients.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const NAMESPACE = 'http://ws.iap.vendor.com/'

interface Reply {
  status: number
  output?: string | Record<string, string>
  errorCode?: string
}

/** Asks again and again, with one token as long as it is good; `flaw` is the one check that it fails. */
export const billingClient: TestClient = async (environment, signal, flaw) => {
  const {
    VENDOR_CLOUD_URL: url = '',
    VENDOR_CLOUD_SELLER_SECRET: given = '',
    VENDOR_CLOUD_PURCHASE_ID: purchaseID = '',
  } = environment
  const has = (name: string) => flaw === name
  const secret = has('keeps-leading-zeros') ? String(Number(given)) : given
  const parser = new XMLParser({ removeNSPrefix: true, parseTagValue: false, htmlEntities: true })

  async function call(operation: string, inputs: Record<string, string>): Promise<Reply> {
    const children = Object.entries(inputs).map(([name, value]) => `<${name}>${value}</${name}>`)
    const content = `<n:${operation} xmlns:n="${NAMESPACE}">${children.join('')}</n:${operation}>`
    const body = `<e:Envelope xmlns:e="${SOAP}"><e:Body>${content}</e:Body></e:Envelope>`
    const reply = await fetch(`${url}/iap/ws/RTCService`, {
      method: 'POST',
      headers: {
        'content-type': has('posts-xml') ? 'application/soap+xml' : 'text/xml; charset=utf-8',
        ...(!has('sends-soap-action') && { soapaction: '""' }),
      },
      body,
      signal,
    })
    const text = await reply.text()
    if (has('billing-takes-http-chunked') && !reply.headers.has('content-length')) throw new Error('of what length?')
    refuseOdd(text, flaw)
    if (!reply.headers.get('content-type')?.startsWith('text/xml')) return { status: reply.status }
    const message = (parser.parse(text) as { Envelope: { Body: Record<string, Record<string, unknown>> } }).Envelope
      .Body
    const fault = message['Fault'] as { detail?: { WebServiceException?: { errorCode: string } } } | undefined
    const { errorCode } = fault?.detail?.WebServiceException ?? {}
    const output = message[`${operation}Response`]?.['output'] as Reply['output']
    return {
      status: reply.status,
      ...(output !== undefined && { output }),
      ...(errorCode !== undefined && { errorCode }),
    }
  }

  let pause = 100
  const rest = () => wait(pause, undefined, { signal })
  let token: string | undefined
  if (has('sends-proper-envelopes')) {
    await fetch(`${url}/iap/ws/RTCService`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: '<call/>',
      signal,
    })
  }
  if (has('sends-what-is-required')) await call('getSubscriptionStatus', {})
  for (let refusals = 0; !signal.aborted; ) {
    if (token === undefined || has('reuses-its-token')) {
      const reply = await call('createServiceToken', { secret })
      token = typeof reply.output === 'string' ? reply.output : undefined
      if (token === undefined) {
        refusals++
        if (refusals === 2 && !has('does-not-hammer')) return undefined
        await rest()
        continue
      }
    }
    const reply = await call('getSubscriptionStatus', { purchaseID, serviceToken: token })
    if (reply.errorCode === '301') {
      if (has('renews-at-301')) return undefined
      token = undefined
      if (has('renews-once')) await call('createServiceToken', { secret })
      continue
    }
    if (reply.errorCode === '-1' && has('reads-faults-with-500')) token = undefined
    if (reply.status === 503) {
      if (has('outlives-brownouts')) return undefined
      if (!has('gets-calmer-at-the-end')) pause *= 2
    } else pause = 100
    const { subscriptionStatus, subscriptionEndDate = '' } = (reply.output ?? {}) as Record<string, string>
    const isOver = subscriptionStatus === 'CANCEL' && Date.parse(`${subscriptionEndDate}Z`) < (await worldTime())
    if (isOver && !has('stops-behind-the-end')) return undefined
    await rest()
  }

  /** The world's clock, which the client takes for its own. */
  async function worldTime(): Promise<number> {
    const { now } = (await (await fetch(`${url}/_control/clock`, { signal })).json()) as { now: string }
    return Date.parse(now)
  }
}

/** A client that reads XML as if it were always written as it once saw it. */
function refuseOdd(text: string, flaw = ''): void {
  const kind = flaw.replace('billing-takes-', '')
  const expected: Record<string, RegExp> = {
    'soap-prefix': /<soap:Body>/,
    'soap-default-namespace': /<ns2:/,
    'soap-cdata': /^(?!.*CDATA)/s,
    'soap-references': /^(?!.*&#)/s,
    'soap-space': /<soap:Body></,
    'soap-quotes': /xmlns:soap="/,
  }
  if (expected[kind] && !expected[kind].test(text)) throw new Error(kind)
}
