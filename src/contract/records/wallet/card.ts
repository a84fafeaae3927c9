import * as z from 'zod'
import { additionalInformation, classification, locations } from './card-details.ts'

/** Types of serial data on a card. See document 2, section 2, barcode display types. */
const serialTypes = {
  SERIALNUMBER: 'serial number',
  BARCODE: 'barcode',
  QRCODE: 'QR code',
  POINTAMOUNT: 'point amount',
  URL: 'URL',
  IMAGE: 'image',
  NONE: 'no serial data is shown',
} as const
export type SerialType = keyof typeof serialTypes

/** Presentation formats of a card. See document 2, section 2, presentation formats. */
export const ptFormats = {
  BARCODE: 'barcode only',
  BARCODESERIAL: 'barcode with serial number',
  DUALSERIAL: 'dual serial number',
  SERIAL: 'serial only',
  DUALBARCODESERIAL: 'dual barcode with serial number',
  DUALBARCODE: 'dual barcode only',
  BARCODEPIN: 'barcode with PIN',
  BARCODESERIALPIN: 'barcode with serial PIN',
  IMAGE: 'image',
  IMAGESERIAL: 'image with serial',
  QRCODESERIAL: 'QR code with serial number',
  QRCODE: 'QR code only',
} as const
export type PtFormat = keyof typeof ptFormats

/** Formats of barcodes. See document 2, section 2, barcode formats. */
export const ptSubFormats = {
  APIAZTEC: '2D Aztec',
  CODABAR: 'Codabar',
  CODE_39: 'Code 39',
  CODE_93: 'Code 93',
  CODE_128: 'Code 128',
  DATA_MATRIX: 'Data Matrix',
  EAN_8: 'EAN-8',
  EAN_13: 'EAN-13',
  ITF: 'Interleaved 2 of 5',
  MAXICODE: 'MaxiCode',
  PDF_417: 'PDF417',
  QR_CODE: 'QR code',
  RSS_14: 'RSS-14 (GS1 DataBar)',
  RSS_EXPANDED: 'RSS Expanded (GS1 DataBar Expanded)',
  UPC_A: 'UPC-A',
  UPC_E: 'UPC-E',
  UPC_EAN_EXTENSION: 'UPC/EAN extension, not stand-alone',
} as const
export type PtSubFormat = keyof typeof ptSubFormats

export const serialType = codes(serialTypes, 'Barcode display type')
export const ptFormat = codes(ptFormats, 'Presentation format')
export const ptSubFormat = codes(ptSubFormats, 'Barcode format')

/** `server/domain/wallet/card-barcodes.ts` checks which fields must be present together. */
export const barcode = z
  .object({
    serialType,
    ptFormat: ptFormat.optional(),
    ptSubFormat: ptSubFormat.optional(),
    value: z.string().optional().meta({ description: 'Value that the barcode encodes', example: '4006381333931' }),
  })
  .describe('Serial data and its presentation')
export type Barcode = z.infer<typeof barcode>

export const card = z.object({
  barcode: barcode.optional(),
  locations: locations.optional(),
  additionalInformation: additionalInformation.optional(),
  classification: classification.optional(),
})
export type Card = z.infer<typeof card>

export const checkRequest = z.object({
  barcode: part('Barcode'),
  locations: part('Locations'),
  additionalInformation: part('AdditionalInformation'),
  classification: part('Classification'),
})
export type CheckRequest = z.infer<typeof checkRequest>

export const cardFinding = z.object({
  code: z.string().meta({ description: 'Code of the finding', example: 'CheckDigit' }),
  message: z.string().describe('Description of the problem'),
  path: z.string().meta({ description: 'Path in the card', example: 'locations[3].lat' }),
  target: z.string().meta({ description: 'Path in the request', example: 'body.locations[3].lat' }),
  source: z.string().meta({ description: 'Violated rule, see docs/rules.md', example: 'our choice: card-value' }),
})

export const checkReply = z.object({
  errors: z.array(cardFinding).describe('Violations of rules'),
  warnings: z.array(cardFinding).describe('Valid content that is probably a mistake'),
})

export type CardVerdict = z.infer<typeof checkReply>

function codes<const M extends Record<string, string>>(meanings: M, title: string) {
  const list = Object.entries(meanings).map(([code, meaning]) => `${code} (${meaning})`)
  return z.enum(Object.keys(meanings) as (keyof M & string)[]).describe(`${title}: ${list.join(', ')}`)
}

function part(component: string) {
  const openapi = { anyOf: [{ $ref: `#/components/schemas/${component}` }, { type: 'string' }] }
  return z.unknown().optional().meta({ description: 'JSON value, or JSON as an escaped string', openapi })
}
