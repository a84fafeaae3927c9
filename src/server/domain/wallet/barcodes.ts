import type { PtSubFormat } from '#contract/records/wallet/card.ts'

export interface BarcodeProblem {
  code: 'InvalidCharacter' | 'InvalidLength' | 'OddCount' | 'CheckDigit'
  message: string
}

export function findBarcodeProblems(format: PtSubFormat, value: string): BarcodeProblem[] {
  return checks[format](value, format)
}

type Check = (value: string, format: PtSubFormat) => BarcodeProblem[]

const MAX_LINEAR = 80
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are part of ASCII
const ASCII = /^[\x00-\x7f]*$/
const DIGITS = /^[0-9]*$/
const UPPER_CASE = /^[0-9A-Z ]*$/
const PRINTABLE = /^[\x20-\x7e]*$/

const checks: Record<PtSubFormat, Check> = {
  EAN_8: number(8),
  EAN_13: number(13),
  UPC_A: number(12),
  UPC_E: checkUpcE,
  UPC_EAN_EXTENSION: (value, format) => checkDigits(format, value, [2, 5]),
  ITF: checkItf,
  CODABAR: checkCodabar,
  CODE_39: (value, format) =>
    checkLine(format, value, /^[0-9A-Z $%+\-./]*$/, 'digits, capital letters, space and - . $ / + %'),
  CODE_93: (value, format) => checkLine(format, value, ASCII, 'ASCII characters'),
  CODE_128: (value, format) => checkLine(format, value, ASCII, 'ASCII characters'),
  RSS_14: checkRss14,
  RSS_EXPANDED: checkRssExpanded,
  APIAZTEC: symbol(3832, 3067, 1914, UPPER_CASE),
  DATA_MATRIX: symbol(3116, 2335, 1556, UPPER_CASE),
  MAXICODE: symbol(138, 93, 93, UPPER_CASE),
  PDF_417: symbol(2710, 1850, 1108, PRINTABLE),
  QR_CODE: symbol(7089, 4296, 2953, /^[0-9A-Z $%*+\-./:]*$/),
}

function number(length: number): Check {
  return (value, format) => {
    const problems = checkDigits(format, value, [length])
    return problems.length > 0 ? problems : checkLastDigit(format, value, value)
  }
}

/** The numbers are the capacities of the largest symbol at the lowest error correction level. */
function symbol(digits: number, text: number, bytes: number, textCharacters: RegExp): Check {
  return (value, format) => {
    const [most, size, unit] = DIGITS.test(value)
      ? [digits, value.length, 'digits']
      : textCharacters.test(value)
        ? [text, value.length, 'characters']
        : [bytes, new TextEncoder().encode(value).length, 'bytes']
    if (size <= most) return []
    return [{ code: 'InvalidLength', message: `the largest ${format} symbol holds ${most} ${unit}, not ${size}` }]
  }
}

/** A number system (0 or 1), six digits, and the check digit of the corresponding UPC-A number. */
function checkUpcE(value: string): BarcodeProblem[] {
  const problems = checkDigits('UPC_E', value, [8])
  if (!/^[01]/.test(value)) {
    problems.push({ code: 'InvalidCharacter', message: 'a UPC_E value begins with number system 0 or 1' })
  }
  return problems.length > 0 ? problems : checkLastDigit('UPC_E', value, toUpcA(value))
}

function checkItf(value: string): BarcodeProblem[] {
  const problems = checkLine('ITF', value, DIGITS, 'digits')
  if (value.length % 2 === 1) {
    const message = `ITF encodes digits in pairs, so their number must be even, not ${value.length}`
    problems.push({ code: 'OddCount', message })
  }
  return problems
}

/** The start and stop letters must both be present or both be absent. */
function checkCodabar(value: string): BarcodeProblem[] {
  const starts = /^[A-DTN*E]/i.test(value)
  const stops = value.length > 1 && /[A-DTN*E]$/i.test(value)
  const inner = value.slice(starts ? 1 : 0, stops ? -1 : undefined)
  const allowed = 'digits and - $ : / . +, between start and stop letters'
  const problems = checkLine('CODABAR', inner, /^[0-9\-$:/.+]*$/, allowed)
  if (starts !== stops) {
    const message = 'a CODABAR value must have both a start and a stop letter (A to D), or neither'
    problems.push({ code: 'InvalidCharacter', message })
  }
  if (inner === '')
    problems.push({ code: 'InvalidLength', message: 'a CODABAR value must have at least one digit or sign' })
  return problems
}

/** A GTIN has 14 digits, or 13 without the check digit. The application identifier (01) is optional. */
function checkRss14(value: string): BarcodeProblem[] {
  const digits = value.replace(/^\(01\)/, '')
  const problems = checkDigits('RSS_14', digits, [13, 14])
  return problems.length > 0 || digits.length === 13 ? problems : checkLastDigit('RSS_14', digits, digits)
}

function checkRssExpanded(value: string): BarcodeProblem[] {
  const allowed = 'the characters of GS1 element strings'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the group separator ends a field of variable length
  return checkLine('RSS_EXPANDED', value.replace(/[()]/g, ''), /^[0-9A-Za-z !"%&'*+,\-./_:;<=>?\x1d]*$/, allowed, 74)
}

function checkLine(format: string, value: string, allowed: RegExp, names: string, max = MAX_LINEAR): BarcodeProblem[] {
  const problems: BarcodeProblem[] = []
  if (!allowed.test(value)) problems.push({ code: 'InvalidCharacter', message: `${format} encodes only ${names}` })
  if (value.length > max) {
    const message = `a ${format} value has at most ${max} characters, not ${value.length}`
    problems.push({ code: 'InvalidLength', message })
  }
  return problems
}

function checkDigits(format: string, value: string, lengths: readonly number[]): BarcodeProblem[] {
  const problems: BarcodeProblem[] = []
  if (!DIGITS.test(value)) problems.push({ code: 'InvalidCharacter', message: `${format} encodes only digits` })
  if (!lengths.includes(value.length)) {
    const message = `a ${format} value has ${lengths.join(' or ')} digits, not ${value.length}`
    problems.push({ code: 'InvalidLength', message })
  }
  return problems
}

/** GS1: from the right, digits weigh 3 and 1 in turn, and the check digit makes the sum a multiple of 10. */
export function toCheckDigit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

function checkLastDigit(format: string, value: string, full: string): BarcodeProblem[] {
  const expected = toCheckDigit(full.slice(0, -1))
  if (Number(value.at(-1)) === expected) return []
  const message = `the check digit of this ${format} value is ${expected}, not ${value.at(-1)}`
  return [{ code: 'CheckDigit', message }]
}

/** The last of the six digits defines where the zeros were omitted. */
function toUpcA(value: string): string {
  const [system, a, b, c, d, e, last = '', check] = value
  if (last <= '2') return `${system}${a}${b}${last}0000${c}${d}${e}${check}`
  if (last === '3') return `${system}${a}${b}${c}00000${d}${e}${check}`
  if (last === '4') return `${system}${a}${b}${c}${d}00000${e}${check}`
  return `${system}${a}${b}${c}${d}${e}0000${last}${check}`
}
