import {
  type Barcode,
  barcode,
  type CardVerdict,
  type PtFormat,
  type PtSubFormat,
  type SerialType,
} from '#contract/records/wallet/card.ts'
import { findBarcodeProblems } from './barcodes.ts'
import { cardFinding, findUnknownFields, toRecord } from './card-findings.ts'

export function checkBarcode(value: unknown, findings: CardVerdict): void {
  const { warnings } = findings
  if (toRecord(value) !== value) return
  warnings.push(...findUnknownFields(value, barcode, 'barcode'))
  const given = toKnownFields(value)
  if (given.serialType === 'NONE') return warnNotDisplayed(value, findings)
  requireFields(value, given, findings)
  checkSubFormat(given, findings)
  warnUnlikelyPairs(given, findings)
  warnUnlikelyValue(given, findings)
}

/** Omits invalid fields, because the schema has already reported them. */
function toKnownFields(value: unknown): Partial<Barcode> {
  const known: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(barcode.shape)) {
    const result = schema.safeParse(toRecord(value)[name])
    if (result.success && result.data !== undefined) known[name] = result.data
  }
  return known
}

function requireFields(value: unknown, { serialType, ptFormat }: Partial<Barcode>, { errors }: CardVerdict): void {
  const unless = serialType ? `with serialType ${serialType}` : 'unless serialType is NONE'
  const required =
    ptFormat && BARCODE_FORMATS.includes(ptFormat) ? ['ptFormat', 'ptSubFormat', 'value'] : ['ptFormat', 'value']
  for (const name of required) {
    if (name in toRecord(value)) continue
    const reason = name === 'ptSubFormat' ? `with ptFormat ${ptFormat}, which shows a barcode` : unless
    errors.push(cardFinding('MissingField', `barcode.${name}`, `is required ${reason}`, 'our choice: card-required'))
  }
}

function checkSubFormat({ ptFormat, ptSubFormat, value }: Partial<Barcode>, { errors }: CardVerdict): void {
  if (ptSubFormat === 'UPC_EAN_EXTENSION' && !(ptFormat && DUAL_BARCODES.includes(ptFormat))) {
    const rule = 'UPC_EAN_EXTENSION cannot be used by itself, only with a barcode that it extends'
    errors.push(cardFinding('NotStandAlone', 'barcode.ptSubFormat', rule, 'document 2, section 8'))
  }
  const encoded = encodedFormat(ptFormat, ptSubFormat)
  if (value === undefined || !encoded) return
  for (const { code, message } of findBarcodeProblems(encoded, value)) {
    errors.push(cardFinding(code, 'barcode.value', `does not fit: ${message}`, 'our choice: card-value'))
  }
}

function warnUnlikelyPairs({ serialType, ptFormat, ptSubFormat }: Partial<Barcode>, { warnings }: CardVerdict): void {
  const warn = (field: string, rule: string) =>
    warnings.push(cardFinding('UnlikelyPair', `barcode.${field}`, rule, 'our choice: card-warnings'))
  if (serialType && ptFormat && !SENSIBLE[serialType].includes(ptFormat)) {
    const sensible = SENSIBLE[serialType].join(', ')
    warn('ptFormat', `${ptFormat} cannot be used with serialType ${serialType}; use one of ${sensible}`)
  }
  const reason = ptFormat && ptSubFormat && findMisfit(ptFormat, ptSubFormat)
  if (reason) warn('ptSubFormat', `${ptSubFormat} cannot be used with ptFormat ${ptFormat}${reason}`)
}

function findMisfit(ptFormat: PtFormat, ptSubFormat: PtSubFormat): string | undefined {
  const isQrCode = ptSubFormat === 'QR_CODE'
  if (QR_FORMATS.includes(ptFormat)) return isQrCode ? undefined : ', a QR code'
  if (!BARCODE_FORMATS.includes(ptFormat)) return ', which shows no barcode'
  return isQrCode ? '; a QR code is shown by QRCODE or QRCODESERIAL' : undefined
}

function warnUnlikelyValue({ serialType, value }: Partial<Barcode>, { warnings }: CardVerdict): void {
  if (!value) return
  const warn = (rule: string) =>
    warnings.push(cardFinding('UnlikelyValue', 'barcode.value', rule, 'our choice: card-warnings'))
  if (serialType === 'URL' && !/^https?:\/\/[^\s/]/i.test(value))
    warn('is not a web address, although serialType is URL')
  if (serialType === 'POINTAMOUNT' && !/\d/.test(value)) warn('has no number, although serialType is POINTAMOUNT')
}

function warnNotDisplayed(value: unknown, { warnings }: CardVerdict): void {
  for (const name of ['ptFormat', 'ptSubFormat', 'value'].filter((field) => field in toRecord(value))) {
    warnings.push(cardFinding('NotShown', `barcode.${name}`, 'is not shown: serialType is NONE', SERIAL_TYPE_SOURCE))
  }
}

const SERIAL_TYPE_SOURCE = 'document 2, section 2, barcode display types'

const BARCODE_FORMATS: readonly PtFormat[] = [
  'BARCODE',
  'BARCODESERIAL',
  'DUALBARCODE',
  'DUALBARCODESERIAL',
  'BARCODEPIN',
  'BARCODESERIALPIN',
]
const QR_FORMATS: readonly PtFormat[] = ['QRCODE', 'QRCODESERIAL']
const DUAL_BARCODES: readonly PtFormat[] = ['DUALBARCODE', 'DUALBARCODESERIAL']

const SENSIBLE: Record<SerialType, readonly PtFormat[]> = {
  SERIALNUMBER: ['SERIAL', 'DUALSERIAL'],
  BARCODE: BARCODE_FORMATS,
  QRCODE: QR_FORMATS,
  POINTAMOUNT: ['SERIAL', 'DUALSERIAL'],
  URL: ['SERIAL', 'IMAGE', 'IMAGESERIAL', ...QR_FORMATS],
  IMAGE: ['IMAGE', 'IMAGESERIAL'],
  NONE: [],
}

function encodedFormat(ptFormat: PtFormat | undefined, ptSubFormat: PtSubFormat | undefined): PtSubFormat | undefined {
  if (!ptFormat || BARCODE_FORMATS.includes(ptFormat)) return ptSubFormat
  return QR_FORMATS.includes(ptFormat) ? (ptSubFormat ?? 'QR_CODE') : undefined
}
