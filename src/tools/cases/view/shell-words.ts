/** A text by parts: what stands there as it is, and variables of the shell. */
export type Part = string | { variable: string }

const MARK = /\{\{(token|digest):(\d{1,7})\}\}/g
/** C0, DEL, C1, halves of letters, and what turns the direction of text: a script holds none of them. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** Secrets of a case are variables in a script: `TOKEN_1`. */
export function toParts(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const mark of text.matchAll(MARK)) {
    parts.push(text.slice(at, mark.index), { variable: `${mark[1]!.toUpperCase()}_${mark[2]}` })
    at = mark.index + mark[0].length
  }
  parts.push(text.slice(at))
  return parts.filter((part) => part !== '')
}

/** As one word of a shell, in which nothing is special but the variables. */
export function toWord(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? quote(part) : `"$${part.variable}"`)).join('') || "''"
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function isSteering(text: string): boolean {
  return text.search(STEERING) >= 0
}

/** Control characters as in an address: `%0A`. */
export function percentEncode(text: string): string {
  return text.replace(STEERING, (sign) =>
    toBytes(sign)
      .map((byte) => `%${hex(byte)}`)
      .join(''),
  )
}

/** The `printf` that writes these parts, control characters by their octal numbers. */
export function toPrintf(parts: readonly Part[]): string {
  const formats = parts.map((part) => (typeof part === 'string' ? '%b' : '%s')).join('')
  const words = parts.map((part) => (typeof part === 'string' ? quote(toOctal(part)) : `"$${part.variable}"`))
  return `printf '${formats}' ${words.join(' ')}`
}

function toOctal(text: string): string {
  const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`
  return text.replaceAll('\\', '\\\\').replace(STEERING, (sign) => toBytes(sign).map(octal).join(''))
}

function toBytes(text: string): number[] {
  return [...new TextEncoder().encode(text)]
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}
