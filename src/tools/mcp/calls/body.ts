import { type BillingOperation, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { fromBase64 } from '#contract/records/base64.ts'
import { ToolError } from '../errors.ts'
import type { Call } from './call.ts'

/** A text is sent as it is, inputs of SOAP as an envelope, an image as a form, and every other body as JSON. */
export function writeBody({ operation, body }: Call): string | FormData | undefined {
  if (body === undefined || typeof body === 'string') return body
  const { soap, contract } = operation ?? {}
  if (contract?.form) return writeForm(contract.form.field, body)
  return soap ? writeEnvelope(soap, body as Record<string, unknown>) : JSON.stringify(body)
}

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

function writeEnvelope(operation: BillingOperation, inputs: Readonly<Record<string, unknown>>): string {
  const children = Object.entries(inputs)
    .filter(([name, value]) => /^[A-Za-z_][\w.-]*$/.test(name) && value !== undefined && value !== null)
    .map(([name, value]) => `<${name}>${escapeText(String(value))}</${name}>`)
  const content = `<n:${operation} xmlns:n="${DEFAULT_NAMESPACE}">${children.join('')}</n:${operation}>`
  return `<e:Envelope xmlns:e="${SOAP}"><e:Body>${content}</e:Body></e:Envelope>`
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function writeForm(field: string, body: unknown): FormData {
  const { [field]: image, ...others } = Object(body) as Readonly<Record<string, unknown>>
  if (typeof image !== 'string' || Object.keys(others).length > 0) {
    throw new ToolError(
      `body takes ${field}, an image in base64, and nothing else; left out, the built-in image of one pixel is sent`,
    )
  }
  const form = new FormData()
  form.append(field, new Blob([readImage(field, image)]), 'image')
  return form
}

function readImage(field: string, image: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(fromBase64(image))
  } catch {
    throw new ToolError(`body.${field} is no base64`)
  }
}
