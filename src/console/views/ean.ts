/** ISO/IEC 15420: the odd pattern of each digit; the others are made of it. */
const odd = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ')
const right = odd.map((pattern) => [...pattern].map((module) => (module === '0' ? '1' : '0')).join(''))
const even = right.map((pattern) => [...pattern].toReversed().join(''))

/** The first digit of an EAN-13 is in the choice of patterns of the next six: 0 odd, 1 even. */
const parities = '000000 001011 001101 001110 010011 011001 011100 010101 010110 011010'.split(' ')

const EDGE = '101'
const MIDDLE = '01010'

/** A wrong check digit is drawn as it is: the card check says so. */
export function drawEan13(value: string): string | undefined {
  if (!/^\d{13}$/.test(value)) return undefined
  const [first = 0, ...digits] = [...value].map(Number)
  const left = digits.slice(0, 6).map((digit, index) => (parities[first]?.[index] === '1' ? even : odd)[digit])
  return toModules(left, digits.slice(6))
}

export function drawEan8(value: string): string | undefined {
  if (!/^\d{8}$/.test(value)) return undefined
  const digits = [...value].map(Number)
  const left = digits.slice(0, 4).map((digit) => odd[digit])
  return toModules(left, digits.slice(4))
}

export function drawUpcA(value: string): string | undefined {
  return /^\d{12}$/.test(value) ? drawEan13(`0${value}`) : undefined
}

function toModules(left: readonly (string | undefined)[], digits: readonly number[]): string {
  return EDGE + left.join('') + MIDDLE + digits.map((digit) => right[digit]).join('') + EDGE
}
