import type { BillingOperation } from '#contract/documents/billing/operations.ts'
import { DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

export function writeEnvelope(operation: BillingOperation, inputs: Readonly<Record<string, unknown>>): string {
  const children = Object.entries(inputs)
    .filter(([name, value]) => /^[A-Za-z_][\w.-]*$/.test(name) && value !== undefined && value !== null)
    .map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`)
  const content = `<n:${operation} xmlns:n="${DEFAULT_NAMESPACE}">${children.join('')}</n:${operation}>`
  return `<e:Envelope xmlns:e="${SOAP}"><e:Body>${content}</e:Body></e:Envelope>`
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
