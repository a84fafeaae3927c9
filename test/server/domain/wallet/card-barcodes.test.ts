import { describe, expect, test } from 'vitest'
import { checkCard } from '../../../../src/server/domain/wallet/cards.ts'
import { ptFormats } from '../../../../src/contract/records/wallet/card.ts'

const ean = { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333931' }

const errorsOf = (barcode: unknown) => checkCard({ barcode }).errors.map(({ path, code }) => `${path} ${code}`)
const warningsOf = (barcode: unknown) => checkCard({ barcode }).warnings.map(({ path, code }) => `${path} ${code}`)

describe('the fields of a barcode', () => {
  test('the barcode field serialType is required', () => {
    const { serialType: _, ...rest } = ean
    expect(errorsOf(rest)).toEqual(['barcode.serialType MissingField'])
  })

  test('the barcode fields ptFormat and value are required unless serialType is NONE', () => {
    expect(errorsOf({ serialType: 'QRCODE' })).toEqual(['barcode.ptFormat MissingField', 'barcode.value MissingField'])
    expect(checkCard({ barcode: { serialType: 'NONE' } })).toEqual({ errors: [], warnings: [] })
  })

  test('the barcode field ptSubFormat is required for every ptFormat that shows a barcode', () => {
    const needing = Object.keys(ptFormats).filter((ptFormat) =>
      errorsOf({ serialType: 'BARCODE', ptFormat, value: '1' }).includes('barcode.ptSubFormat MissingField'),
    )
    expect(needing).toEqual([
      'BARCODE',
      'BARCODESERIAL',
      'DUALBARCODESERIAL',
      'DUALBARCODE',
      'BARCODEPIN',
      'BARCODESERIALPIN',
    ])
  })

  test('an empty barcode field counts as absent', () => {
    expect(errorsOf({ ...ean, value: '', ptSubFormat: null })).toEqual([
      'barcode.ptSubFormat MissingField',
      'barcode.value MissingField',
    ])
  })

  test('barcode codes outside their value sets are all reported, and the message lists the set', () => {
    const { errors } = checkCard({
      barcode: { serialType: 'EAN', ptFormat: 'barcode', ptSubFormat: 'EAN13', value: 7 },
    })
    expect(errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'barcode.serialType InvalidValue',
      'barcode.ptFormat InvalidValue',
      'barcode.ptSubFormat InvalidValue',
      'barcode.value InvalidType',
    ])
    expect(errors[0]?.message).toContain('POINTAMOUNT')
  })

  test('a barcode that is not an object is reported as a single error', () => {
    expect(errorsOf(7)).toEqual(['barcode InvalidType'])
    expect(errorsOf([ean])).toEqual(['barcode InvalidType'])
    expect(errorsOf('null')).toEqual(['barcode InvalidType'])
  })
})

describe('the value', () => {
  test('the barcode value is validated against its ptSubFormat', () => {
    expect(errorsOf({ ...ean, value: '4006381333930' })).toEqual(['barcode.value CheckDigit'])
    expect(errorsOf({ ...ean, ptSubFormat: 'ITF' })).toEqual(['barcode.value OddCount'])
    expect(errorsOf({ ...ean, ptSubFormat: 'CODE_39', value: 'abc' })).toEqual(['barcode.value InvalidCharacter'])
  })

  test('the barcode value is validated even if ptFormat is invalid', () => {
    expect(errorsOf({ ...ean, ptFormat: 'NOPE', value: '1' })).toEqual([
      'barcode.ptFormat InvalidValue',
      'barcode.value InvalidLength',
    ])
  })

  test('the value of a QR code has a maximum length', () => {
    const qr = { serialType: 'QRCODE', ptFormat: 'QRCODE', value: 'https://partner.example.com/17' }
    expect(checkCard({ barcode: qr })).toEqual({ errors: [], warnings: [] })
    expect(errorsOf({ ...qr, value: '1'.repeat(7090) })).toEqual(['barcode.value InvalidLength'])
  })
})

describe('UPC_EAN_EXTENSION', () => {
  test('UPC_EAN_EXTENSION cannot be the only barcode on a card', () => {
    expect(errorsOf({ ...ean, ptSubFormat: 'UPC_EAN_EXTENSION', value: '12' })).toEqual([
      'barcode.ptSubFormat NotStandAlone',
    ])
  })

  test('UPC_EAN_EXTENSION is allowed as part of a DUALBARCODE', () => {
    expect(errorsOf({ ...ean, ptFormat: 'DUALBARCODE', ptSubFormat: 'UPC_EAN_EXTENSION', value: '12' })).toEqual([])
  })
})

describe('contradictory barcode fields', () => {
  test.each([
    [{ ...ean, serialType: 'QRCODE' }, ['barcode.ptFormat UnlikelyPair']],
    [{ ...ean, serialType: 'SERIALNUMBER' }, ['barcode.ptFormat UnlikelyPair']],
    [{ ...ean, serialType: 'IMAGE' }, ['barcode.ptFormat UnlikelyPair']],
    [{ ...ean, ptFormat: 'SERIAL' }, ['barcode.ptFormat UnlikelyPair', 'barcode.ptSubFormat UnlikelyPair']],
    [{ ...ean, ptFormat: 'QRCODE' }, ['barcode.ptFormat UnlikelyPair', 'barcode.ptSubFormat UnlikelyPair']],
    [{ ...ean, ptSubFormat: 'QR_CODE' }, ['barcode.ptSubFormat UnlikelyPair']],
    [{ serialType: 'URL', ptFormat: 'QRCODE', value: 'no address' }, ['barcode.value UnlikelyValue']],
    [{ serialType: 'POINTAMOUNT', ptFormat: 'SERIAL', value: 'many' }, ['barcode.value UnlikelyValue']],
    [{ ...ean, serialType: 'NONE' }, ['ptFormat', 'ptSubFormat', 'value'].map((name) => `barcode.${name} NotShown`)],
    [{ ...ean, subFormat: 'EAN_13' }, ['barcode.subFormat UnknownField']],
  ])('contradictory barcode fields cause warnings but no errors: %j', (barcode, expected) => {
    expect(errorsOf(barcode)).toEqual([])
    expect(warningsOf(barcode)).toEqual(expected)
    const hidden = checkCard({ barcode }).warnings.filter(({ code }) => code === 'NotShown')
    for (const { source } of hidden) expect(source).toBe('document 2, section 2, barcode display types')
  })
})
