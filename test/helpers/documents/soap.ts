import { buildTestApp, listen, type TestApp } from '../build-test-app.ts'

export const NAMESPACE = 'http://ws.iap.vendor.com/'
export const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
export const SECRET = '123456789012'
export const OTHER_SECRET = '000000000042'

export interface SoapReply {
  status: number
  type: string | null
  text: string
}

export interface BillingServer extends TestApp {
  address: string
  send(body: string | Uint8Array, headers?: Record<string, string>): Promise<SoapReply>
  createServiceToken(secret?: string): Promise<string>
  getSubscriptionStatus(purchaseID: string, secret?: string): Promise<Record<string, string>>
}

/** Starts a server on a port, because SOAP is tested over a real socket. The clock is paused. */
export async function startBilling(options: Parameters<typeof buildTestApp>[0] = {}): Promise<BillingServer> {
  const test = buildTestApp(options)
  const address = `${await listen(test.app)}/iap/ws/RTCService`
  const send = async (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<SoapReply> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=UTF-8', ...headers },
      body: Buffer.from(body),
    }
    const reply = await fetch(`${address}?wsdl`, init)
    return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
  }
  const createServiceToken = async (secret = SECRET) =>
    requireMatch(/<output>(\w{96})<\/output>/, (await send(call('createServiceToken', { secret }))).text)
  return {
    ...test,
    address,
    send,
    createServiceToken,
    async getSubscriptionStatus(purchaseID, secret = SECRET) {
      const serviceToken = await createServiceToken(secret)
      return fieldsOf((await send(call('getSubscriptionStatus', { purchaseID, serviceToken }))).text)
    },
  }
}

export function envelope(body: string, header = ''): string {
  return `<e:Envelope xmlns:e="${SOAP}" xmlns:ws="${NAMESPACE}">${header}<e:Body>${body}</e:Body></e:Envelope>`
}

export function call(operation: string, inputs: Record<string, string>): string {
  const children = Object.entries(inputs).map(([name, value]) => `<${name}>${value}</${name}>`)
  return envelope(`<ws:${operation}>${children.join('')}</ws:${operation}>`)
}

/** A simple separate parser, so that the server's parser is not used to check its own output. */
export function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name, value ?? '']))
}

const reply = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soap:Envelope xmlns:soap="${SOAP}">` +
  `<soap:Body>${body}</soap:Body></soap:Envelope>`

const serviceErrors: Record<number, string> = {
  10: 'MISSING_PARAMETER',
  15: 'INVALID_PARAMETER_VALUE',
  300: 'INVALID_SECRET',
  301: 'EXPIRED_SERVICE_TOKEN',
  [-1]: 'UNKNOWN_ERROR',
}

export function serviceFault(errorCode: number): SoapReply {
  const name = serviceErrors[errorCode]
  const detail = `<errorCode>${errorCode}</errorCode><errorMessage>${name}</errorMessage>`
  const text = reply(
    `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${name}</faultstring>` +
      `<detail><ns2:WebServiceException xmlns:ns2="${NAMESPACE}">` +
      `${detail}</ns2:WebServiceException></detail></soap:Fault>`,
  )
  return { status: 500, type: 'text/xml; charset=UTF-8', text }
}

export function senderFault(faultcode: string, { text }: SoapReply): SoapReply {
  const sentence = requireMatch(/<faultstring>([^<]+)<\/faultstring>/, text)
  const fault = `<faultcode>soap:${faultcode}</faultcode><faultstring>${sentence}</faultstring>`
  return { status: 500, type: 'text/xml; charset=UTF-8', text: reply(`<soap:Fault>${fault}</soap:Fault>`) }
}

function requireMatch(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[1]
  if (!found) throw new Error(`${pattern} does not match ${text}`)
  return found
}
