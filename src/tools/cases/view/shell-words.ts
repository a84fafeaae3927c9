export type Part = string | { variable: string }

const MARK = /\{\{(token|digest):(\d{1,7})\}\}/g
/** Control characters, lone surrogates and signs that turn the direction of text could hide what a script does. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** A secret of the case becomes a variable of the script, such as `TOKEN_1`. */
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

/** Nothing in the word is special to a shell but the variables. */
export function toWord(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? quote(part) : `"$${part.variable}"`)).join('') || "''"
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function isSteering(text: string): boolean {
  return text.search(STEERING) >= 0
}

/** Control characters are written as in an address, `%0A`. */
export function percentEncode(text: string): string {
  return text.replace(STEERING, (sign) =>
    toBytes(sign)
      .map((byte) => `%${hex(byte)}`)
      .join(''),
  )
}

/** `printf` takes control characters by their octal numbers. */
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
