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

/** ISO/IEC 15420: the odd pattern of each digit; the others are made of it. */
const odd = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ')
const right = odd.map((pattern) => [...pattern].map((module) => (module === '0' ? '1' : '0')).join(''))
const even = right.map((pattern) => [...pattern].toReversed().join(''))

/** The first digit of an EAN-13 is in the choice of patterns of the next six: 0 odd, 1 even. */
const parities = '000000 001011 001101 001110 010011 011001 011100 010101 010110 011010'.split(' ')

const EDGE = '101'
const MIDDLE = '01010'

/** A wrong check digit is drawn as it is: the card check says so. */
function drawEan13(value: string): string | undefined {
  if (!/^\d{13}$/.test(value)) return undefined
  const [first = 0, ...digits] = [...value].map(Number)
  const left = digits.slice(0, 6).map((digit, index) => (parities[first]?.[index] === '1' ? even : odd)[digit])
  return drawHalves(left, digits.slice(6))
}

function drawEan8(value: string): string | undefined {
  if (!/^\d{8}$/.test(value)) return undefined
  const digits = [...value].map(Number)
  const left = digits.slice(0, 4).map((digit) => odd[digit])
  return drawHalves(left, digits.slice(4))
}

function drawUpcA(value: string): string | undefined {
  return /^\d{12}$/.test(value) ? drawEan13(`0${value}`) : undefined
}

function drawHalves(left: readonly (string | undefined)[], digits: readonly number[]): string {
  return EDGE + left.join('') + MIDDLE + digits.map((digit) => right[digit]).join('') + EDGE
}

/** ISO/IEC 15417: widths of bars and gaps, value by value. */
const widths = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')

const START_B = 104
const START_C = 105
const STOP = 106

/** Digits in pairs when there is nothing else, else letter by letter; other alphabets it cannot hold. */
function drawCode128(value: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(value)) return undefined
  const inPairs = /^(\d\d){2,}$/.test(value)
  const values = inPairs
    ? (value.match(/\d\d/g) ?? []).map(Number)
    : [...value].map((letter) => letter.charCodeAt(0) - 32)
  const start = inPairs ? START_C : START_B
  const check = values.reduce((sum, each, index) => sum + each * (index + 1), start) % 103
  // Of a bar and a gap by turns: a value has three of each, and the last ends with a bar.
  const all = [start, ...values, check, STOP].map((each) => widths[each]).join('')
  return [...all].map((width, index) => (index % 2 === 0 ? '1' : '0').repeat(Number(width))).join('')
}
