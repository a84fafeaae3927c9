import { fromBase64 } from '../../../contract/records/base64.ts'
import { ToolError } from '../errors.ts'

/** The smallest image that is taken: one pixel as a GIF. */
const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='

/** A form with one file: `body` holds it by the field's name in base64; without one a pixel is sent. */
export function toForm(field: string, body: unknown): FormData | string {
  if (typeof body === 'string') return body
  const given = (body as Readonly<Record<string, unknown>> | undefined)?.[field] ?? PIXEL
  const form = new FormData()
  form.append(field, new Blob([readBytes(field, given)]), 'image')
  return form
}

function readBytes(field: string, given: unknown): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(fromBase64(String(given)))
  } catch {
    throw new ToolError(`body.${field} is no base64`)
  }
}
