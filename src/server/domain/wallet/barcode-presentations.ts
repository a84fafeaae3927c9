import type { PtFormat, PtSubFormat, SerialType } from '../../../contract/records/wallet/card.ts'

export const BARCODE_FORMATS: readonly PtFormat[] = [
  'BARCODE',
  'BARCODESERIAL',
  'DUALBARCODE',
  'DUALBARCODESERIAL',
  'BARCODEPIN',
  'BARCODESERIALPIN',
]
export const QR_FORMATS: readonly PtFormat[] = ['QRCODE', 'QRCODESERIAL']
export const DUAL_BARCODES: readonly PtFormat[] = ['DUALBARCODE', 'DUALBARCODESERIAL']

/** Presentations that show what each display type stands for: our choice. */
export const SENSIBLE: Record<SerialType, readonly PtFormat[]> = {
  SERIALNUMBER: ['SERIAL', 'DUALSERIAL'],
  BARCODE: BARCODE_FORMATS,
  QRCODE: QR_FORMATS,
  POINTAMOUNT: ['SERIAL', 'DUALSERIAL'],
  URL: ['SERIAL', 'IMAGE', 'IMAGESERIAL', ...QR_FORMATS],
  IMAGE: ['IMAGE', 'IMAGESERIAL'],
  NONE: [],
}

export function encodedFormat(
  ptFormat: PtFormat | undefined,
  ptSubFormat: PtSubFormat | undefined,
): PtSubFormat | undefined {
  if (!ptFormat || BARCODE_FORMATS.includes(ptFormat)) return ptSubFormat
  return QR_FORMATS.includes(ptFormat) ? (ptSubFormat ?? 'QR_CODE') : undefined
}
