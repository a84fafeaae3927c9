export interface BarcodeProblem {
  code: 'InvalidCharacter' | 'InvalidLength' | 'OddCount' | 'CheckDigit'
  message: string
}

export type MatrixFormat = 'APIAZTEC' | 'DATA_MATRIX' | 'MAXICODE' | 'PDF_417' | 'QR_CODE'

export function findCapacityProblem(format: MatrixFormat, value: string): BarcodeProblem[] {
  const { digits, text, bytes, textCharacters } = capacities[format]
  const [most, size, unit] = /^[0-9]*$/.test(value)
    ? [digits, value.length, 'digits']
    : textCharacters.test(value)
      ? [text, value.length, 'characters']
      : [bytes, new TextEncoder().encode(value).length, 'bytes']
  if (size <= most) return []
  return [{ code: 'InvalidLength', message: `the largest ${format} symbol holds ${most} ${unit}, not ${size}` }]
}

const UPPER_CASE = /^[0-9A-Z ]*$/
const PRINTABLE = /^[\x20-\x7e]*$/

/** Counts are for the largest symbol at the lowest error correction: digits, the compact text, and bytes. */
const capacities: Record<MatrixFormat, { digits: number; text: number; bytes: number; textCharacters: RegExp }> = {
  APIAZTEC: { digits: 3832, text: 3067, bytes: 1914, textCharacters: UPPER_CASE },
  DATA_MATRIX: { digits: 3116, text: 2335, bytes: 1556, textCharacters: UPPER_CASE },
  MAXICODE: { digits: 138, text: 93, bytes: 93, textCharacters: UPPER_CASE },
  PDF_417: { digits: 2710, text: 1850, bytes: 1108, textCharacters: PRINTABLE },
  QR_CODE: { digits: 7089, text: 4296, bytes: 2953, textCharacters: /^[0-9A-Z $%*+\-./:]*$/ },
}
