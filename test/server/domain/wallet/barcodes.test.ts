import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBarcodeProblems, toCheckDigit } from '../../../../src/server/domain/wallet/barcodes.ts'
import { type PtSubFormat, ptSubFormats } from '../../../../src/contract/records/wallet/card.ts'

const formats = Object.keys(ptSubFormats) as PtSubFormat[]
const codesOf = (format: PtSubFormat, value: string) => findBarcodeProblems(format, value).map(({ code }) => code)

describe('valid barcode values', () => {
  test.each<[PtSubFormat, string]>([
    ['EAN_13', '4006381333931'],
    ['EAN_13', '5901234123457'],
    ['EAN_8', '96385074'],
    ['UPC_A', '036000291452'],
    ['UPC_E', '01234565'],
    ['UPC_E', '04252614'],
    ['UPC_EAN_EXTENSION', '12'],
    ['UPC_EAN_EXTENSION', '52495'],
    ['ITF', '15400141288763'],
    ['CODABAR', 'A40156B'],
    ['CODABAR', '31117013206375'],
    ['CODE_39', 'VM-TV55 / 10%'],
    ['CODE_93', 'Member #17'],
    ['CODE_128', 'abc-123~'],
    ['RSS_14', '00012345678905'],
    ['RSS_14', '(01)00012345678905'],
    ['RSS_EXPANDED', '(01)00012345678905(10)ABC123'],
    ['QR_CODE', 'https://partner.example.com/카드/17'],
    ['APIAZTEC', 'M1DOE/JOHN'],
    ['DATA_MATRIX', '(01)00012345678905'],
    ['MAXICODE', '152382802840001'],
    ['PDF_417', 'M1DOE/JOHN            EABC123'],
  ])('the barcode format %s accepts the value %s', (format, value) => {
    expect(findBarcodeProblems(format, value)).toEqual([])
  })
})

describe('invalid barcode values', () => {
  test.each<[PtSubFormat, string, string[]]>([
    ['EAN_13', '4006381333932', ['CheckDigit']],
    ['EAN_13', '400638133393', ['InvalidLength']],
    ['EAN_13', '40063813339', ['InvalidLength']],
    ['EAN_13', '400638133393x', ['InvalidCharacter']],
    ['EAN_13', '4006-38', ['InvalidCharacter', 'InvalidLength']],
    ['EAN_13', '٤٠٠٦٣٨١٣٣٣٩٣١', ['InvalidCharacter']],
    ['EAN_8', '96385075', ['CheckDigit']],
    ['UPC_A', '036000291453', ['CheckDigit']],
    ['UPC_E', '01234564', ['CheckDigit']],
    ['UPC_E', '21234565', ['InvalidCharacter']],
    ['UPC_EAN_EXTENSION', '123', ['InvalidLength']],
    ['ITF', '123', ['OddCount']],
    ['ITF', '12a4', ['InvalidCharacter']],
    ['CODABAR', 'A40156', ['InvalidCharacter']],
    ['CODABAR', '40156B', ['InvalidCharacter']],
    ['CODABAR', '40A156', ['InvalidCharacter']],
    ['CODABAR', 'AB', ['InvalidLength']],
    ['CODE_39', 'lower', ['InvalidCharacter']],
    ['CODE_39', '*A*', ['InvalidCharacter']],
    ['CODE_93', 'é', ['InvalidCharacter']],
    ['CODE_128', '카드', ['InvalidCharacter']],
    ['CODE_128', 'x'.repeat(81), ['InvalidLength']],
    ['RSS_14', '00012345678904', ['CheckDigit']],
    ['RSS_14', '123', ['InvalidLength']],
    ['RSS_EXPANDED', '(01)€', ['InvalidCharacter']],
    ['QR_CODE', '1'.repeat(7090), ['InvalidLength']],
    ['QR_CODE', 'a'.repeat(2954), ['InvalidLength']],
    ['QR_CODE', '카'.repeat(985), ['InvalidLength']],
    ['MAXICODE', 'A'.repeat(94), ['InvalidLength']],
  ])('the barcode format %s rejects the value %s', (format, value, codes) => {
    expect(codesOf(format, value)).toEqual(codes)
  })
})

test('an EAN_13 number is valid only with the computed check digit', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{12}$/), (digits) => {
      const right = toCheckDigit(digits)
      for (let digit = 0; digit < 10; digit++) {
        expect(codesOf('EAN_13', `${digits}${digit}`)).toEqual(digit === right ? [] : ['CheckDigit'])
      }
    }),
    { numRuns: 100 },
  )
})

test('a UPC_E value has the check digit of the corresponding UPC_A number', () => {
  const pairs = {
    '0123450': '01200000345',
    '0123453': '01230000045',
    '0123454': '01234000005',
    '0123458': '01234500008',
  }
  for (const [short, long] of Object.entries(pairs)) {
    const right = toCheckDigit(long)
    expect(codesOf('UPC_E', `${short}${right}`)).toEqual([])
    expect(codesOf('UPC_E', `${short}${(right + 1) % 10}`)).toEqual(['CheckDigit'])
  }
})

test('every barcode format reports problems for arbitrary text instead of throwing', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9A-D*]{0,20}$/))
  fc.assert(
    fc.property(fc.constantFrom(...formats), text, (format, value) => {
      for (const { code, message } of findBarcodeProblems(format, value)) {
        expect(code).toMatch(/^[A-Z]\w+$/)
        expect(message.length).toBeGreaterThan(10)
      }
    }),
    { numRuns: 1000 },
  )
})
