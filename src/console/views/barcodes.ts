import { drawCode128 } from './code-128.ts'
import { drawEan13, drawEan8, drawUpcA } from './ean.ts'

export interface Barcode {
  format: string
  value: string
}

/** Formats of lines: each gives the modules from left to right, 1 for a bar; nothing for a value it cannot hold. */
const drawers: Readonly<Record<string, (value: string) => string | undefined>> = {
  CODE_128: drawCode128,
  EAN_13: drawEan13,
  EAN_8: drawEan8,
  UPC_A: drawUpcA,
}

export function drawLines({ format, value }: Barcode): string | undefined {
  return drawers[format]?.(value)
}

export const drawnFormats: readonly string[] = ['QR_CODE', ...Object.keys(drawers)]

/** The barcode of a card's text, as far as it can be read. */
export function findBarcode(text: string): Barcode | undefined {
  const { barcode } = parse(text) ?? {}
  const { serialType, ptSubFormat, value } = (typeof barcode === 'string' ? parse(barcode) : barcode) ?? {}
  const format = ptSubFormat ?? (serialType === 'QRCODE' ? 'QR_CODE' : undefined)
  return typeof format === 'string' && typeof value === 'string' && value !== '' ? { format, value } : undefined
}

type Fields = Record<string, never> | undefined

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}
