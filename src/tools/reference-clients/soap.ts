import { XMLParser } from 'fast-xml-parser'
import { LostAnswer, Refusal, type Reply } from './wire.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const NAMESPACE = 'http://ws.iap.vendor.com/'
const UNKNOWN_ERROR = '-1'
const parser = new XMLParser({ removeNSPrefix: true, parseTagValue: false, htmlEntities: true })

export function toCall(operation: string, inputs: Record<string, string>): RequestInit {
  const children = Object.entries(inputs).map(([name, value]) => `<${name}>${escapeText(value)}</${name}>`)
  const content = `<n:${operation} xmlns:n="${NAMESPACE}">${children.join('')}</n:${operation}>`
  const body = `<e:Envelope xmlns:e="${SOAP}"><e:Body>${content}</e:Body></e:Envelope>`
  return { method: 'POST', headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }, body }
}

/** A fault is thrown as a Refusal with its code. */
export function readAnswer(reply: Reply, operation: string): unknown {
  const { Fault: fault, ...message } = bodyOf(reply)
  if (fault) {
    const { errorCode = '', errorMessage = fault.faultstring } = fault.detail?.WebServiceException ?? {}
    const isFinal = reply.status === 500 && errorCode !== UNKNOWN_ERROR
    throw new Refusal(reply, [errorCode], `${operation}: ${errorCode} ${errorMessage}`, isFinal)
  }
  const answer = message[`${operation}Response`]
  if (!answer) throw new LostAnswer(`${operation}: no answer in the message`)
  return answer.output
}

type SoapBody = { Fault?: SoapFault } & Record<string, { output: unknown } | undefined>
interface SoapFault {
  faultstring: string
  detail?: { WebServiceException?: { errorCode: string; errorMessage: string } }
}

/** A fault comes with status 500 and is a message all the same. */
function bodyOf(reply: Reply): SoapBody {
  const isXml = reply.headers.get('content-type')?.startsWith('text/xml')
  if (!isXml) throw new Refusal(reply, [], `the billing interface: ${reply.status}`)
  try {
    return (parser.parse(reply.text) as { Envelope: { Body: SoapBody } }).Envelope.Body
  } catch (error) {
    throw new LostAnswer('the answer is no SOAP', { cause: error })
  }
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
