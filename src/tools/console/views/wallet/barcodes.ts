import { findJson } from '../../../../contract/records/decoded-text.ts'

export interface Barcode {
  format: string
  value: string
}

/** An unreadable card has no barcode. */
export function findBarcode(text: string): Barcode | undefined {
  const { barcode } = parse(text) ?? {}
  const { serialType, ptSubFormat, value } = (typeof barcode === 'string' ? parse(barcode) : barcode) ?? {}
  const format = ptSubFormat ?? (serialType === 'QRCODE' ? 'QR_CODE' : undefined)
  return typeof format === 'string' && typeof value === 'string' && value !== '' ? { format, value } : undefined
}

type Fields = Record<string, never> | undefined

function parse(text: string): Fields {
  const value = findJson(text)
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}
