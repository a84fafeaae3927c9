import type { Chance } from './chance.ts'
import { fieldKinds, type Known } from './json-fields.ts'

/** Where no schema is known only the text counts. */
export type Vary = (text: string, chance: Chance, known: Known | undefined) => string

const knowing =
  (vary: (text: string, chance: Chance, known: Known) => string): Vary =>
  (text, chance, known) =>
    known ? vary(text, chance, known) : text

/**
 * RFC 8259, sections 2, 4 and 7: the JSON has the same meaning. Fields change first, because the schema distinguishes
 * them.
 */
export const jsonKinds = {
  'json-null': knowing(fieldKinds['json-null']),
  'json-enum': knowing(fieldKinds['json-enum']),
  'json-order': (text, chance) => rewriteObjects(text, (entries) => reorder(entries, chance)),
  // The documents do not forbid further fields, so a client must ignore unknown ones.
  'json-extra': (text, chance) =>
    rewriteObjects(text, (entries) => [...entries, [`further${chance.below(1000)}`, chance.pick(further)]]),
  'json-escape': (text, chance) => rewriteBeginning(text, STRING, (string) => escapeSome(string, chance)),
  'json-space': (text, chance) => rewriteBeginning(text, TOKEN, (token) => token + chance.pick(spaces)),
} satisfies Record<string, Vary>

const further = [null, false, 42, 'of a later version', [], [{ unknown: true }], { unknown: { deep: [1, 2] } }]
/** The data of an event is one line, so no line ends are used. */
const spaces = ['', ' ', '\t', '  ']

/** Another field comes first than before, so that a client which counts on the order fails. */
function reorder(entries: Entries, chance: Chance): Entries {
  const shuffled = chance.shuffle(entries)
  const [first] = shuffled
  return first === entries[0] ? [...shuffled.slice(1), ...shuffled.slice(0, 1)] : shuffled
}

const STRING = /"(?:[^"\\]|\\.)*"/g
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Each character uses a random number, so only the start varies. */
const VARIED = 16_384

/** A long text varies enough by its beginning. */
function rewriteBeginning(text: string, part: RegExp, rewrite: (found: string) => string): string {
  let left = VARIED
  return text.replace(part, (found) => {
    left -= found.length
    return left < 0 ? found : rewrite(found)
  })
}

type Entries = [string, unknown][]

/** Outer objects vary first, within this bound. */
const VARIED_ENTRIES = 2000

/** The object under `data` is a map of the sender's own, where a further entry would have a meaning. */
function rewriteObjects(text: string, rewrite: (entries: Entries) => Entries): string {
  let left = VARIED_ENTRIES
  const write = (value: unknown, name?: string): unknown => {
    if (value === null || typeof value !== 'object' || left <= 0) return value
    if (Array.isArray(value)) return value.map((each) => write(each))
    const own = Object.entries(value)
    left -= own.length
    const entries = own.map(([key, each]): [string, unknown] => [key, write(each, key)])
    return name === 'data' ? value : Object.fromEntries(rewrite(entries))
  }
  return JSON.stringify(write(JSON.parse(text)))
}

/** At least one character becomes `\u0041`; a solidus may also become `\/`. */
function escapeSome(string: string, chance: Chance): string {
  const characters = string.slice(1, -1).match(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gu)
  if (!characters) return string
  const first = chance.below(characters.length)
  const write = (character: string, i: number) => {
    if (character.startsWith('\\') || (i !== first && chance.below(8) > 0)) return character
    if (character === '/' && chance.below(2) === 0) return '\\/'
    // Beyond the first plane both halves are escaped, because one is not valid text.
    return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  return `"${characters.map(write).join('')}"`
}
