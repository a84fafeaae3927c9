/** The look of a text, without telling it: each letter and digit by its kind. */
export function toShape(text: string): string {
  return text.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/[0-9]/g, '0')
}

const alphabets: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  a: 'abcdef',
  '0': '0123456789',
}

/** Another text of a shape; `drawBelow` gives a number from 0 to one less than it is told. */
export function fillShape(shape: string, drawBelow: (size: number) => number): string {
  return shape.replace(/[Aa0]/g, (kind) => alphabets[kind]![drawBelow(alphabets[kind]!.length)]!)
}

/** Letters and digits of a secret are drawn anew, each from all of them: its length and its signs stay. */
export function hasShape(text: string, shape: string): boolean {
  const signs = (shaped: string) => shaped.replace(/[Aa0]/g, 'a')
  return signs(toShape(text)) === signs(shape)
}
