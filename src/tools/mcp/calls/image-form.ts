import { fromBase64 } from '#contract/records/base64.ts'
import { ToolError } from '../errors.ts'
import type { Call } from './call.ts'

/** The smallest image that the vendor accepts: one pixel as a GIF. */
const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='
const BUILT_IN = 'the built-in image of one pixel'

/** `body` holds the one file in base64 by the field's name. A text is sent as it is. */
export function toForm(field: string, body: unknown): FormData | string {
  if (typeof body === 'string') return body
  const { [field]: given, ...others } = Object(body) as Readonly<Record<string, unknown>>
  if (typeof given !== 'string' || Object.keys(others).length > 0) {
    throw new ToolError(`body takes ${field}, an image in base64, and nothing else; left out, ${BUILT_IN} is sent`)
  }
  const form = new FormData()
  form.append(field, new Blob([readBytes(field, given)]), 'image')
  return form
}

/** The built-in image is put in before the call is shown, so that it is shown as it is sent. */
export function withImage(call: Call): Call {
  const form = call.operation?.contract.form
  const isWithout = call.body === undefined || JSON.stringify(call.body) === '{}'
  return form && isWithout ? { ...call, body: { [form.field]: PIXEL } } : call
}

function readBytes(field: string, given: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(fromBase64(given))
  } catch {
    throw new ToolError(`body.${field} is no base64`)
  }
}
