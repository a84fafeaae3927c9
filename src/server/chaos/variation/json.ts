import type { Chance } from './chance.ts'
import { fieldKinds, type Known } from './json-fields.ts'

/** If `known` is undefined, the schema is unknown and only the text can be varied. */
export type Vary = (text: string, chance: Chance, known: Known | undefined) => string

const knowing =
  (vary: (text: string, chance: Chance, known: Known) => string): Vary =>
  (text, chance, known) =>
    known ? vary(text, chance, known) : text

/** RFC 8259, sections 2, 4 and 7, allow these. Fields change first, while they still match the schema. */
export const jsonKinds = {
  'json-null': knowing(fieldKinds['json-null']),
  'json-enum': knowing(fieldKinds['json-enum']),
  'json-order': (text, chance) => rewriteObjects(text, (entries) => reorder(entries, chance)),
  // The documents do not rule out additional fields, so clients must ignore unknown fields.
  'json-extra': (text, chance) =>
    rewriteObjects(text, (entries) => [...entries, [`further${chance.below(1000)}`, chance.pick(further)]]),
  'json-escape': (text, chance) => rewriteBeginning(text, STRING, (string) => escapeSome(string, chance)),
  'json-space': (text, chance) => rewriteBeginning(text, TOKEN, (token) => token + chance.pick(spaces)),
} satisfies Record<string, Vary>

const further = [null, false, 42, 'of a later version', [], [{ unknown: true }], { unknown: { deep: [1, 2] } }]
/** Line breaks are not included, because the data of an event is a single line. */
const spaces = ['', ' ', '\t', '  ']

/** Always moves a different field to the start, so that a client that depends on the order fails. */
function reorder(entries: Entries, chance: Chance): Entries {
  const shuffled = chance.shuffle(entries)
  const [first] = shuffled
  return first === entries[0] ? [...shuffled.slice(1), ...shuffled.slice(0, 1)] : shuffled
}

const STRING = /"(?:[^"\\]|\\.)*"/g
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Maximum number of characters to vary, because each requires a random number. */
const VARIED = 16_384

function rewriteBeginning(text: string, part: RegExp, rewrite: (found: string) => string): string {
  let left = VARIED
  return text.replace(part, (found) => {
    left -= found.length
    return left < 0 ? found : rewrite(found)
  })
}

type Entries = [string, unknown][]

/** Maximum number of object fields to vary. The fields of outer objects are varied first. */
const VARIED_ENTRIES = 2000

/** Skips the object in `data`: its sender defines the keys, so an additional entry would have a meaning. */
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

/** Escapes at least one character as in `\u0041`. A slash may also become `\/`. */
function escapeSome(string: string, chance: Chance): string {
  const characters = string.slice(1, -1).match(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gu)
  if (!characters) return string
  const first = chance.below(characters.length)
  const write = (character: string, i: number) => {
    if (character.startsWith('\\') || (i !== first && chance.below(8) > 0)) return character
    if (character === '/' && chance.below(2) === 0) return '\\/'
    // A single surrogate is not valid, so such characters are escaped as two.
    return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  return `"${characters.map(write).join('')}"`
}
