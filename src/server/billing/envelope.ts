import { notProperSoap, SoapFault } from './soap-fault.ts'
import type { XmlElement } from './xml.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const NEXT_ACTOR = 'http://schemas.xmlsoap.org/soap/actor/next'

/** SOAP 1.1, section 4: the body contains only the call. Headers that must be understood are rejected. */
export function readCall(envelope: XmlElement): XmlElement {
  if (envelope.name !== 'Envelope') throw notProperSoap('the root element is not a SOAP envelope')
  if (envelope.namespace !== SOAP) {
    const sent = envelope.namespace.slice(0, 200) || 'no namespace'
    const message = `the envelope is in ${sent} but must be in the SOAP 1.1 namespace ${SOAP}`
    throw new SoapFault('VersionMismatch', message, 'SOAP 1.1, section 4.4.1')
  }
  assertNoText(envelope)
  const [first, ...rest] = envelope.elements
  const header = first && isSoap(first, 'Header') ? first : undefined
  const [body, ...trailers] = header ? rest : envelope.elements
  if (!body || !isSoap(body, 'Body')) throw notProperSoap('the envelope has no body in the expected position')
  if (trailers.some(({ namespace }) => namespace === SOAP || namespace === '')) {
    throw notProperSoap('the envelope has an element after the body, which is not allowed')
  }
  header?.elements.forEach(assertNotMandatory)
  assertNoText(body)
  const [call, another] = body.elements
  if (!call || another) throw notProperSoap('the body must contain exactly one element')
  return call
}

const head = `<?xml version="1.0" encoding="UTF-8"?>\n<soap:Envelope xmlns:soap="${SOAP}"><soap:Body>`
const tail = '</soap:Body></soap:Envelope>'

/** `content` must be valid XML. The caller must already have escaped any text from clients. */
export function writeEnvelope(content: string): string {
  return head + content + tail
}

function isSoap(element: XmlElement, name: string): boolean {
  return element.name === name && element.namespace === SOAP
}

/** SOAP 1.1, section 4.2.3. Rejects `mustUnderstand` headers for this service, which knows no headers. */
function assertNotMandatory(entry: XmlElement): void {
  const mandatory = findSoapAttribute(entry, 'mustUnderstand')?.trim()
  const actor = findSoapAttribute(entry, 'actor')?.trim() || NEXT_ACTOR
  if ((mandatory === '1' || mandatory === 'true') && actor === NEXT_ACTOR) {
    const name = entry.name.slice(0, 100)
    const message = `header ${name} has mustUnderstand, but this service supports no headers. Remove mustUnderstand`
    throw new SoapFault('MustUnderstand', message, 'SOAP 1.1, section 4.2.3')
  }
}

function findSoapAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name && attribute.namespace === SOAP)?.value
}

function assertNoText({ name, text }: XmlElement): void {
  if (text.trim() !== '') throw notProperSoap(`${name} contains text, but only elements are allowed`)
}

/** Escapes text for use in element content and in attribute values. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}
