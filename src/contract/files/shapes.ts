/** A shape shows the kinds of letters without telling the text. */
export function toShape(text: string): string {
  return text.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/[0-9]/g, '0')
}

/** Stands for a word of letters and digits whose length is not known. */
export const ANY_WORD = ''

const alphabets: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  a: 'abcdef',
  '0': '0123456789',
}

/** An escape of an address, of JSON or of XML stays one, since a text that cannot be read would be refused. */
const PARTS = /%[Aa0]{2}|\\a[Aa0]{4}|\\a|&#?[Aa0]{2,8};|[Aa0]/g

/** `drawBelow` gives an integer from 0 up to but without its argument. */
export function fillShape(given: string, drawBelow: (size: number) => number): string {
  const shape = given === ANY_WORD ? 'a'.repeat(32) : given
  const isNumber = /^0{2,}$/.test(shape)
  return shape.replace(PARTS, (part, at: number) => {
    if (part.length > 1) return fillEscape(part)
    // A number of JSON begins with no zero.
    const letters = isNumber && at === 0 ? '123456789' : alphabets[part]!
    return letters[drawBelow(letters.length)]!
  })
}

function fillEscape(shape: string): string {
  if (shape.startsWith('%')) return '%2D'
  if (shape.startsWith('\\')) return shape.length > 2 ? '\\u002d' : '\\n'
  return shape.length === 4 ? '&lt;' : `&#${'45'.padStart(shape.length - 3, '0')};`
}

/** Drawn letters and digits keep a secret's length and signs, so these alone are compared. */
export function hasShape(text: string, shape: string): boolean {
  const signs = (shaped: string) => shaped.replace(/[Aa0]/g, 'a')
  return signs(toShape(text)) === signs(shape)
}
