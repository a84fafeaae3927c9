import type { BarcodeProblem } from './matrix-codes.ts'

/** From the right, digits count three times and once in turn; the check digit completes the sum to tens. */
export function toCheckDigit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

export function checkLastDigit(format: string, value: string, full: string): BarcodeProblem[] {
  const expected = toCheckDigit(full.slice(0, -1))
  if (Number(value.at(-1)) === expected) return []
  return [
    { code: 'CheckDigit', message: `the check digit of this ${format} value is ${expected}, not ${value.at(-1)}` },
  ]
}

/** The last of a UPC-E's six digits says where its zeros were left out. */
export function toUpcA(value: string): string {
  const [system, a, b, c, d, e, last = '', check] = value
  if (last <= '2') return `${system}${a}${b}${last}0000${c}${d}${e}${check}`
  if (last === '3') return `${system}${a}${b}${c}00000${d}${e}${check}`
  if (last === '4') return `${system}${a}${b}${c}${d}00000${e}${check}`
  return `${system}${a}${b}${c}${d}${e}0000${last}${check}`
}
