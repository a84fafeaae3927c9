import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

type Style = 'red' | 'green' | 'yellow'
/** Text in the pattern's first group keeps its color. Text in the second group gets the new color. */
type Rule = readonly [pattern: RegExp, style: Style]

const request = (status: string) => new RegExp(`^(\\S+ [A-Z]+ +\\S+ {2})(${status})(?= {2})`, 'gm')
const requests: readonly Rule[] = [
  [request('[123]\\d\\d'), 'green'],
  [request('4\\d\\d'), 'yellow'],
  [request('5\\d\\d|unanswered'), 'red'],
]
const differences: readonly Rule[] = [
  [/^( *)(- .*)$/gm, 'red'],
  [/^( *)(\+ .*)$/gm, 'green'],
  [/^( *)(~ .*)$/gm, 'yellow'],
]
const verdicts: readonly Rule[] = [
  [/^()(Grade A\b)/gm, 'green'],
  [/^()(Grade [BC]\b)/gm, 'yellow'],
  [/^()(Grade [D-F]\b)/gm, 'red'],
  [/(, )([1-9]\d* failed)(?=,)/g, 'red'],
  [/^( {2}\w+ +)([1-9]\d* passed)(?=,)/gm, 'green'],
  [/^( {2})(MUST)(?= )/gm, 'red'],
  [/^( {2})(SHOULD)(?= )/gm, 'yellow'],
]
const diagnoses: readonly Rule[] = [
  [/^()(ok)(?= )/gm, 'green'],
  [/^()(note)(?= )/gm, 'yellow'],
  [/^()(FAULT)(?= )/gm, 'red'],
]

const rules: Readonly<Record<string, readonly Rule[]>> = {
  serve: requests,
  logs: requests,
  replay: differences,
  diff: differences,
  compare: differences,
  examine: verdicts,
  doctor: diagnoses,
}

/** `text` must already be printable, so that it contains no other colors. */
export async function createPainter(command: string): Promise<(text: string) => string> {
  const own = rules[command]
  if (!own) return (text) => text
  const { readTerminal } = await import('#server/config.ts')
  if (WriteStream.prototype.getColorDepth(readTerminal()) === 1) return (text) => text
  const paint = (style: Style, part: string) => styleText(style, part, { validateStream: false })
  return (text) =>
    own.reduce(
      (painted, [pattern, style]) =>
        painted.replace(pattern, (_, before: string, part: string) => before + paint(style, part)),
      text,
    )
}
