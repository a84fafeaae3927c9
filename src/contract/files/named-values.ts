import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { decodeText, findJson, plainSlashes } from '../records/decoded-text.ts'
import { isDeep } from '../records/plain-values.ts'
import { readFormParts } from './form-parts.ts'

interface Rules {
  isSecret(name: string): boolean
  /** Returns whether the value must remain visible although the name is one of the secret names. */
  isDisplayed(value: string): boolean
  /** `secret` is spelled as in the text. `name` is the field, cookie or header that contains it. */
  change(secret: string, name?: string): string
}

export class NamedValues {
  readonly #rules: Rules

  constructor(rules: Rules) {
    this.#rules = rules
  }

  get change(): Rules['change'] {
    return this.#rules.change
  }

  /** Returns undefined if the format of the text is unknown. */
  mapBody(text: string, type: string): string | undefined {
    if (/^multipart\//i.test(type)) return this.#mapForm(text, type)
    if (/^\s*[[{"]/.test(text) || /[/+]json\b/i.test(type)) return this.#mapJson(text)
    if (/^[\s\ufeff]*</.test(text)) return this.#mapXml(text)
    if (/^application\/x-www-form-urlencoded/i.test(type) || FORM.test(text)) {
      return this.mapAddress(`?${text}`).slice(1)
    }
    return undefined
  }

  #mapForm(text: string, type: string): string | undefined {
    const edits: Edit[] = []
    const parts = readFormParts(text, type)
    for (const { name, fileName, contentType = '', value, at } of parts ?? []) {
      const isOther = fileName !== undefined && !TEXT.test(contentType)
      const map = () => (fileName === undefined ? this.mapText(value) : this.mapBody(value, contentType))
      const mapped = this.#rules.isSecret(name) ? this.change(value) : isOther ? value : map()
      if (mapped === undefined) return undefined
      edits.push({ at, length: value.length, text: mapped })
    }
    return parts && writeEdits(text, edits)
  }

  /** The text may be a URL or JSON. If it looks like JSON but cannot be parsed, it is replaced completely. */
  mapText(text: string): string {
    if (/^\s*[[{"]/.test(text)) return this.#mapJson(text) ?? this.#rules.change(text)
    return /[?;#]|:\/\//.test(text) ? this.mapAddress(text) : text
  }

  #mapNamed(name: string, text: string): string {
    return HEADER.test(name) ? mapHeader(name.toLowerCase(), text, this.change) : this.change(text, name)
  }

  mapAddress(text: string): string {
    const map = (given: string, before: string, name: string, value: string) => {
      const plain = decodeText(value)
      const isSecret = this.#rules.isSecret(decodeText(name)) || this.mapText(plain) !== plain
      return isSecret && value !== '' && !this.#rules.isDisplayed(plain)
        ? `${before}${name}=${this.#rules.change(value)}`
        : given
    }
    const parameters = text.replace(IN_QUERY, map).replace(IN_SEGMENT, map)
    return parameters.replace(PASSWORD, (password) => this.change(password))
  }

  #mapJson(text: string): string | undefined {
    const lines = findJson(text) === undefined ? text.split('\n') : [text]
    if (lines.some((line) => line.trim() !== '' && !isFlatJson(line))) return undefined
    const mapped = lines.map((line) => this.#mapTokens(line)).join('\n')
    return mapped === text ? text : plainSlashes(mapped)
  }

  #mapTokens(text: string): string {
    const levels: Level[] = []
    const edits: Edit[] = []
    const toEdit = (at: number, token: string, name: string | undefined) => {
      const value: unknown = JSON.parse(token)
      const mapped = this.#mapLeaf(value, name)
      if (mapped === value) return false
      const isNumber = typeof value === 'number'
      edits.push({ at, length: token.length, text: isNumber ? String(mapped) : JSON.stringify(mapped) })
      return true
    }
    for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
      const level = levels.at(-1)
      const { key = '', secretName = this.#rules.isSecret(key) ? key : undefined } = level ?? {}
      if (token === '{' || token === '[')
        levels.push({ isObject: token === '{', isKey: token === '{', key, secretName })
      else if (token === '}' || token === ']') {
        levels.pop()
        const { name, value } = level?.pair ?? {}
        if (name !== undefined && value && this.#rules.isSecret(name)) toEdit(value.index, value.token, name)
      } else if (token === ',' || token === ':') {
        if (level) level.isKey = token === ',' && level.isObject
      } else if (level?.isKey) level.key = String(JSON.parse(token))
      else {
        const isEdited = toEdit(index, token, secretName)
        // In HTTP archives and webhooks, a header is an object with a name and a value.
        if (!level?.isObject || isEdited) continue
        if (/^(?:name|key)$/i.test(key)) level.pair = { ...level.pair, name: String(JSON.parse(token)) }
        if (/^value$/i.test(key)) level.pair = { ...level.pair, value: { index, token } }
      }
    }
    return writeEdits(text, edits)
  }

  /** `name` is set if it indicates a secret. Even then, booleans and counts such as `"tokens": 5` are not secrets. */
  #mapLeaf(value: unknown, name: string | undefined): unknown {
    if (typeof value === 'string') {
      return name === undefined ? this.mapText(value) : this.#mapNamed(name, value)
    }
    return typeof value === 'number' && name !== undefined && !name.endsWith('s')
      ? this.#rules.change(String(value))
      : value
  }

  /** If a field has a secret name, every value inside the field is secret. */
  mapValue(value: unknown, name = '', above?: string): unknown {
    const secretName = above ?? (this.#rules.isSecret(name) ? name : undefined)
    if (Array.isArray(value)) return value.map((each) => this.mapValue(each, name, secretName))
    if (typeof value !== 'object' || value === null) return this.#mapLeaf(value, secretName)
    const fields = Object.entries(value)
    return Object.fromEntries(fields.map(([key, each]) => [key, this.mapValue(each, key, secretName)]))
  }

  /** Replaces secrets in XML and parses the result again. Returns undefined if the result still contains a secret. */
  #mapXml(text: string): string | undefined {
    const secrets = this.#findInXml(text)
    if (!secrets) return undefined
    const bySpelling = new Map(
      secrets.flatMap((secret) => [secret, ...escapeXml(secret)].map((each) => [each, secret])),
    )
    const mapped = text.replace(XML_CONTENT, (given) => {
      const [, before = '', content = '', behind = ''] =
        /^(>|<!\[CDATA\[|=["'])?\s*([\s\S]*?)\s*(\]\]>|["'])?$/.exec(given) ?? []
      const secret = bySpelling.get(content)
      return secret === undefined ? given : before + this.#rules.change(secret) + behind
    })
    // `change` returns a secret unchanged if it is a placeholder, or if secrets are only being collected.
    const isLeft = this.#findInXml(mapped)?.some((secret) => this.#rules.change(secret) !== secret) ?? true
    return isLeft ? undefined : mapped
  }

  #findInXml(text: string): string[] | undefined {
    if (/<!DOCTYPE|<html[\s>]/i.test(text) || XMLValidator.validate(text) !== true) return undefined
    const found = new Set<string>()
    const see = (value: string, isSecret: boolean) => {
      const secret = value.trim()
      if (secret === '' || this.#rules.isDisplayed(secret)) return
      if (isSecret || this.mapText(secret) !== secret) found.add(secret)
    }
    const visit = (nodes: readonly XmlNode[], name: string, isHeld: boolean) => {
      for (const node of nodes) {
        for (const [key, value] of Object.entries(node)) {
          if (key === ':@') {
            for (const [attribute, each] of Object.entries(Object(value)))
              see(String(each), this.#rules.isSecret(localName(attribute)))
          } else if (key === '#text') see(String(value), isHeld)
          else {
            const own = localName(key)
            // In document 3, the element `output` contains the issued service token.
            const isIssued = own === 'output' && name === 'createServiceTokenResponse'
            visit(value as XmlNode[], own, isHeld || isIssued || this.#rules.isSecret(own))
          }
        }
      }
    }
    visit(xml.parse(text) as XmlNode[], '', false)
    return [...found]
  }
}

function isFlatJson(text: string): boolean {
  const value = findJson(text)
  return value !== undefined && !isDeep(value)
}

type XmlNode = Readonly<Record<string, unknown>>

interface Level {
  isObject: boolean
  isKey: boolean
  key: string
  secretName: string | undefined
  pair?: { name?: string; value?: { index: number; token: string } }
}

interface Edit {
  at: number
  length: number
  text: string
}

function writeEdits(text: string, edits: readonly Edit[]): string {
  let [written, end] = ['', 0]
  for (const { at, length, text: instead } of edits.toSorted((a, b) => a.at - b.at)) {
    written += text.slice(end, at) + instead
    end = at + length
  }
  return written + text.slice(end)
}

const xml = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
})
const localName = (name: string) => name.replace(/^.*:/, '')

/** Values of fields with these names have the same syntax as the header of that name. */
const HEADER = /^(?:(?:proxy-)?authorization|authentication|(?:set-)?cookie)$/i
const FORM = /^[\w.%~+[\]-]+=[^\s&]*(?:&[\w.%~+[\]-]+=[^\s&]*)*$/
const TEXT = /^text\/|[/+](?:json|xml|x-www-form-urlencoded)\b/i
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g
const IN_QUERY = /([?&#])([^=?&#;\s"'<>]{1,200})=([^&#\s"'<>]*)/g
const IN_SEGMENT = /(;)([^=?&#;\s"'<>/]{1,200})=([^&#;/?\s"'<>]*)/g
const PASSWORD = /(?<=\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g
const XML_CONTENT = />[^<>]+(?=<)|<!\[CDATA\[[\s\S]*?\]\]>|="[^"]*"|='[^']*'/g
const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

export function escapeXml(text: string): string[] {
  const all = text.replace(/[&<>"']/g, (sign) => `&${ENTITIES[sign]};`)
  return [text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'), all]
}

/** A redirect with an authorization code (RFC 6749, section 4.1.2). */
const ISSUES_CODE = /^(?=.*[?&]state=)(.*[?&]code=)([^&#]+)/

/** Calls `change` with each credential in a header value, and with the name of the header or cookie. */
export function mapHeader(name: string, value: string, change: (secret: string, name?: string) => string): string {
  const mapPair = (_: string, key = '', own = '') => key + change(own, key.replace(/\s*=.*$/s, '').trim())
  if (name === 'location')
    return value.replace(ISSUES_CODE, (_, before: string, code: string) => before + change(code, name))
  if (name === 'cookie') return value.replace(/([^=;\s]+=|(?<=^|;\s*))([^;\s][^;]*)/g, mapPair)
  if (name === 'set-cookie') return value.replace(/^([^=;]*=)?([^;]+)/, mapPair)
  const [, scheme, own] = /^(\w[\w-]*\s+)(.*\S)\s*$/.exec(value) ?? []
  return scheme === undefined || own === undefined ? change(value, name) : scheme + change(own, name)
}
