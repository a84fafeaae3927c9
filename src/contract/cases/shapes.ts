/** A shape shows the kinds of letters without telling the text. */
export function toShape(text: string): string {
  return text.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/[0-9]/g, '0')
}

const alphabets: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  a: 'abcdef',
  '0': '0123456789',
}

/** `drawBelow` gives an integer from 0 up to but without its argument. */
export function fillShape(shape: string, drawBelow: (size: number) => number): string {
  return shape.replace(/[Aa0]/g, (kind) => alphabets[kind]![drawBelow(alphabets[kind]!.length)]!)
}

/** Drawn letters and digits keep a secret's length and signs, so these alone are compared. */
export function hasShape(text: string, shape: string): boolean {
  const signs = (shaped: string) => shaped.replace(/[Aa0]/g, 'a')
  return signs(toShape(text)) === signs(shape)
}
