import { decodeText } from '../records/decoded-text.ts'
import { soundsSecret } from '../records/secret-names.ts'
import { CONTENT, JSON_TEXT, mapHeld, mapParents, QUOTE, QUOTED_LETTER } from './held-secrets.ts'
import { type Found, replaceInPieces, replaceShort, rewriteInPieces, SHORT } from './long-texts.ts'
import { finish, type Work } from './long-work.ts'
import { isRepeatable } from './secret-search.ts'

/** A line that ends within counts as closed. */
const QUOTED = String.raw`(?<q>${QUOTE})(?<value>${QUOTED_LETTER}+)(?:\k<q>|\\*(?=[\r\n]|$))`

const OPEN = String.raw`(?<n>${QUOTE})`
const NAME_FIELD = String.raw`(?:name|key)\k<n>\s*:\s*\k<n>(?<name>[\w.-]{1,100})\k<n>`
const VALUE_FIELD = String.raw`value\k<n>\s*:\s*${QUOTED}`

const ATTRIBUTES = String.raw`(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?`
const FORM_FIELD = String.raw`\bform-data\b[^\r\n]{0,300}?\bname=(?<n>["']?)(?<name>[^"'\r\n;]{1,100})\k<n>`
const REST_OF_HEAD = String.raw`[^\r\n]{0,300}\r?\n(?:[^\r\n]{1,300}\r?\n){0,5}\r?\n`

const named: readonly RegExp[] = [
  // Archives and webhooks list headers as objects with a name and a value.
  String.raw`${OPEN}${NAME_FIELD}[^{}]{0,300}?\k<n>${VALUE_FIELD}`,
  String.raw`${OPEN}${VALUE_FIELD}(?=[^{}]{0,300}?\k<n>${NAME_FIELD})`,
  String.raw`<(?:[\w.-]{1,100}:)?(?<name>[\w.-]{1,100})${ATTRIBUTES}>\s*${CONTENT}(?=\s*(?:$|>|<[^!?]))`,
  String.raw`(?<![\w.:-])(?<name>[\w.:-]{1,100})\s?=\s?(?<q>["'])(?<value>[^"'<>]+)\k<q>`,
  String.raw`\bname=["'](?<name>[^"']{1,100})["'][^<>]{0,300}?\s(?:value|content)=["'](?<value>[^"']+)["']`,
  // A part of a form may have several lines, as a private key has.
  String.raw`${FORM_FIELD}${REST_OF_HEAD}(?<value>[^\r\n]+(?:\r?\n(?!--)[^\r\n]+)*)`,
  String.raw`\bname="?(?<name>[^"\r\n;]{1,100})"?[^\r\n]{0,300}\r\n(?:[^\r\n]{1,300}\r\n){0,5}\r\n(?<value>[^\r\n]+)`,
  String.raw`\b(?:bearer|authorization\s{0,3}:\s{0,3}[\w-]{1,30})\s+(?=[^\s"'<>,;&]*\d)(?<value>[^\s"'<>,;&\\]{8,})`,
  String.raw`\/\/[^\s\/:@"'<>]{1,100}:(?<value>[^\s\/@"'<>]{1,200})@`,
  // It is sought from the beginning of what may hold it: from each place within, the time would grow as the square.
  String.raw`(?<![\w-])(?:\w{0,40}-){0,3}(?<value>eyJ[\w-]{8,4000}\.[\w-]{4,}\.[\w-]*)`,
].map((source) => new RegExp(source, 'gi'))

/** A field may stand in a text that is a field. */
const FIELD = new RegExp(String.raw`${OPEN}(?<name>[^"'\\\r\n]{1,100})\k<n>\s{0,99}:\s{0,99}`, 'g')
const IN_FIELD = new RegExp(String.raw`${JSON_TEXT}|${QUOTED}|\d{4,}|[a-z_][\w.+/=~-]{3,}`, 'iy')

const PARAMETER = /(?<=^|[?&;#\s"'>])(?<name>[\w.%~[\]-]{1,100})=/g
/** The attributes of a cookie, and other cookies, stand behind a semicolon. */
export const parameterValue = String.raw`(?:[^&#\s"'<>\\;]|;(?![\s"'<>\\&#]|$|[\w-]+=|secure\b|httponly\b))+`
const IN_QUERY = new RegExp(parameterValue, 'iy')
/** A parameter of a path's segment (RFC 3986, section 3.3) ends with the segment. */
const IN_SEGMENT = /[^&#\s"'<>\\;/?]+/y
/** In a page the entity `&amp;` stands between parameters of a query. */
const OF_SEGMENT = /(?<!&amp);$/
/** A prefix of XML is no name. */
const IN_SENTENCE = /(?<![\w.</-])(?<name>[\w.-]{1,100})\s{0,3}:\s{0,3}/g
const WORD = /[^\s"'<>{},;&\\]+/y

const KEY = String.raw`(?<k>["']?)(?<name>[\w.-]{1,100})\k<k>[ \t]*:[ \t]+`
/** Lines of a YAML map, maps in braces, and texts in quotes in either. */
const yaml: readonly RegExp[] = [
  String.raw`(?<=^|\n)[ \t]*(?:-[ \t]+)?${KEY}(?<value>[^\s"'#|>&*!{[](?:[^\r\n#]|(?<!\s)#)*)`,
  String.raw`(?<=[{,])\s*${KEY}(?<value>[^\s"'#|>&*!{[,}][^\r\n,}]*)`,
  String.raw`(?<![\w.-])${KEY}${QUOTED}`,
].map((source) => new RegExp(source, 'gi'))

/** Document 3 calls the issued service token `output`. */
const ISSUES_TOKEN = /<(?:[\w.-]{1,100}:)?createServiceTokenResponse\b/
const OUTPUT = /<(?:[\w.-]{1,100}:)?output(?:\s[^<>]*)?>\s*(?<value>[^<>\s]+)/g

const NONE = /^(?:true|false|null|undefined|\*|\{\{token:\d+\}\})$/i
const NAMES_HEADER = /^(?:(?:proxy-)?authorization|authentication|(?:set-)?cookie)$/i

/** Each pattern needs one of these, and most texts have none. */
const MAY_NAME = /[=:"'<@]|bearer\s|eyJ/i

/** The name is the field's, the parameter's, the header's or the cookie's; some places have none. */
export type Change = (secret: string, name: string) => string

/** The spelling around a secret stays. */
export function mapNamed(text: string, change: Change): string {
  return MAY_NAME.test(text) ? finish(mapNamedInPieces(text, change)) : text
}

export function* mapNamedInPieces(text: string, change: Change): Work<string> {
  if (!MAY_NAME.test(text)) return text
  const patterns = ISSUES_TOKEN.test(text) ? [...named, OUTPUT] : named
  const changeHeld: Change = (value, name) => (NONE.test(value) ? value : mapField(name, value, change))
  const held = yield* mapHeld(yield* mapParents(text, changeHeld), changeHeld)
  const fields = yield* mapValues(held, FIELD, changeHeld, () => IN_FIELD)
  return yield* mapFound(yield* mapSentences(yield* mapParameters(fields, change), change), patterns, change)
}

/** For bodies that say they are YAML: in others a word before a colon is mostly prose. */
export function mapYaml(text: string, change: Change): string {
  return finish(mapFound(text, yaml, change))
}

/** A field that holds a header has its secret where the header has it. */
export function mapField(name: string, value: string, change: Change): string {
  return NAMES_HEADER.test(name) ? mapHeader(name.toLowerCase(), value, change) : change(value, name)
}

function* mapFound(text: string, patterns: readonly RegExp[], change: Change): Work<string> {
  const write = (found: Found) => mapOne(found, change)
  if (text.length <= SHORT) return patterns.reduce((changed, pattern) => replaceShort(changed, pattern, write), text)
  let changed = text
  for (const pattern of patterns) changed = yield* replaceInPieces(changed, pattern, write)
  return changed
}

function mapOne({ text, groups }: Found, change: Change): string {
  const [name, value] = [groups['name'], groups['value']!]
  if (NONE.test(value) || (name !== undefined && !soundsSecret(decodeText(name)))) return text
  const at = text.lastIndexOf(value)
  return text.slice(0, at) + mapField(decodeText(name ?? ''), value, change) + text.slice(at + value.length)
}

/** The value of a name that tells of no secret may be an address with parameters of its own. */
function mapParameters(text: string, change: Change): Work<string> {
  return mapValues(text, PARAMETER, change, (index) =>
    OF_SEGMENT.test(text.slice(Math.max(0, index - 5), index)) ? IN_SEGMENT : IN_QUERY,
  )
}

/** In a sentence a word before a colon is mostly no name, unless what follows looks drawn. */
function mapSentences(text: string, change: Change): Work<string> {
  const changeDrawn: Change = (value, name) => (isRepeatable(value) ? change(value, name) : value)
  return mapValues(text, IN_SENTENCE, changeDrawn, () => WORD)
}

function mapValues(text: string, names: RegExp, change: Change, formAt: (index: number) => RegExp): Work<string> {
  return rewriteInPieces(text, names, (found) => {
    const name = decodeText(found.groups['name']!)
    if (!soundsSecret(name)) return undefined
    const form = formAt(found.index)
    form.lastIndex = found.index + found.text.length
    const { index, 0: whole, groups } = form.exec(text) ?? { index: 0, 0: '' }
    const { json, q = json === undefined ? '' : '"', value = json ?? whole } = groups ?? {}
    if (value === '' || NONE.test(value)) return undefined
    return { at: index + q.length, length: value.length, instead: change(value, name) }
  })
}

/** RFC 6749, section 4.1.2: such an address issues an authorization code. */
const ISSUES_CODE = /^(?=.*[?&]state=)(?<before>.*[?&]code=)(?<code>[^&#]+)/

/**
 * Only a header whose name tells of a secret, or that issues one, is changed; `change` is told that name, or that of
 * the cookie.
 */
export function mapHeader(name: string, value: string, change: Change): string {
  if (name === 'location')
    return value.replace(ISSUES_CODE, (_, before, code) => before + change(code, 'authorization'))
  if (!soundsSecret(name)) return value
  if (name === 'cookie')
    return value.replace(
      /([^=;\s]+=|(?<=^|;\s*))([^;\s][^;]*)/g,
      (_, key: string, own: string) => key + change(own, nameOf(key)),
    )
  if (name === 'set-cookie')
    return value.replace(/^([^=;]*=)?([^;]+)/, (_, key = '', own = '') => key + change(own, nameOf(key)))
  const [, scheme, own] = /^(\w[\w-]*\s+)(.*\S)\s*$/.exec(value) ?? []
  return scheme === undefined || own === undefined ? change(value, name) : scheme + change(own, name)
}

const nameOf = (key: string) => key.replace(/\s*=.*$/s, '').trim()
