import { type BillingOperation, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { escapeXml } from './envelope.ts'

export function writeExampleCall(
  operation: BillingOperation,
  inputs: Readonly<Record<string, string>>,
  namespace = DEFAULT_NAMESPACE,
): string {
  const children = Object.entries(inputs).map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`)
  return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"
  xmlns:ws="${escapeXml(namespace)}"><e:Body>
  <ws:${operation}>${children.join('')}</ws:${operation}></e:Body></e:Envelope>`
}
