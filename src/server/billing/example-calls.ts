import { BILLING_PATH, type BillingOperation, DEFAULT_NAMESPACE } from '../../contract/documents/billing/operations.ts'
import { escapeXml } from './envelope.ts'

export function createExampleCalls(namespace = DEFAULT_NAMESPACE) {
  return {
    path: BILLING_PATH,
    writeCall(operation: BillingOperation, inputs: Readonly<Record<string, string>>): string {
      const children = Object.entries(inputs).map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`)
      return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"
  xmlns:ws="${escapeXml(namespace)}"><e:Body>
  <ws:${operation}>${children.join('')}</ws:${operation}></e:Body></e:Envelope>`
    },
  }
}
