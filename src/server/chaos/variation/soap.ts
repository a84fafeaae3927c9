import { removableStatusFields } from '#contract/records/billing/subscription-status.ts'
import type { Chance } from './chance.ts'
import type { Vary } from './json.ts'

/**
 * XML 1.0, Namespaces in XML and document 3, section 9, allow these, if messages have no comments, no CDATA and no `>`
 * in a value. White space must be added first, while every text is between two tags.
 */
export const soapKinds = {
  'soap-missing': removeParameters,
  'soap-extra': addParameter,
  'soap-prefix': renamePrefixes,
  'soap-default-namespace': (text) => useDefaultNamespace(text),
  'soap-quotes': (text) => text.replace(/="([^"]*)"/g, "='$1'"),
  'soap-space': (text, chance) =>
    text.replace(/(<[^>]*>)(?=<)/g, (tag, _, at: number) => (opensEmpty(text, at) ? tag : tag + chance.pick(spaces))),
  'soap-references': (text, chance) => rewriteTexts(text, (content) => refer(content, chance)),
  'soap-cdata': (text, chance) => rewriteTexts(text, (content) => toSection(content, chance)),
} satisfies Record<string, Vary>

function removeParameters(text: string, chance: Chance): string {
  const held = removableStatusFields.filter((name) => text.includes(`<${name}>`))
  if (held.length === 0) return text
  const sure = chance.pick(held)
  const leaves = held.filter((name) => name === sure || chance.below(4) === 0)
  return leaves.reduce((left, name) => left.replace(new RegExp(`<${name}>[^<]*</${name}>`), ''), text)
}

/** Adds a parameter only to the output of an operation, because a fault must have the form that document 3 shows. */
function addParameter(text: string, chance: Chance): string {
  const name = `furtherParameter${chance.below(1000)}`
  const element = `<${name}>${chance.pick(['of a later version', '42', '<part>1</part>'])}</${name}>`
  const output = /<output>(.*)<\/output>/s.exec(text)
  if (!output) return text
  const [whole, content = ''] = output
  if (!content.startsWith('<')) return text.replace(whole, () => whole + element)
  const parameters = content.match(/<(\w+)>[^<]*<\/\1>/g) ?? []
  parameters.splice(chance.below(parameters.length + 1), 0, element)
  return text.replace(whole, () => `<output>${parameters.join('')}</output>`)
}

const spaces = ['\n', '\n  ', ' ', '\t', '\r\n']
const prefixes = ['S', 'SOAP-ENV', 'env', 'ns', 'tns', 'a', 'x.y', '_p']

/** The code of a fault is a qualified name, so its prefix is renamed too. */
function renamePrefixes(text: string, chance: Chance): string {
  const fresh = chance.shuffle(prefixes)
  return [...text.matchAll(/ xmlns:([\w.-]+)=/g)].reduce(
    (renamed, [, prefix]) =>
      renamed.replace(
        new RegExp(`(</?| |<(?:[\\w.-]+:)?faultcode>)(xmlns:)?${prefix}(?=${'[:=]'})`, 'g'),
        `$1$2${fresh.pop()}`,
      ),
    text,
  )
}

function useDefaultNamespace(text: string): string {
  const found = /<([\w.-]+):(\w+) xmlns:\1="([^"]*)">(?=<(?:\w+)>)(.*)<\/\1:\2>/s.exec(text)
  if (!found) return text
  const [whole, , name, namespace, content] = found
  let depth = 0
  const children = content!.replace(/<(\/?)(\w+)>/g, (tag, end: string, child: string) => {
    depth += end ? -1 : 1
    return depth === 1 && !end ? `<${child} xmlns="">` : tag
  })
  return text.replace(whole!, () => `<${name} xmlns="${namespace}">${children}</${name}>`)
}

/** White space between these two tags would become the text of an empty element. */
function opensEmpty(text: string, at: number): boolean {
  return /^<([\w.:-]+)[^>]*><\/\1>/.test(text.slice(at))
}

function rewriteTexts(text: string, rewrite: (content: string) => string): string {
  return text.replace(/>([^<>\s][^<>]*)(?=<\/)/g, (_, content: string) => `>${rewrite(content)}`)
}

function refer(content: string, chance: Chance): string {
  const characters = content.match(/&#?\w+;|./gsu) ?? []
  return characters
    .map((character, i) => {
      if (character.length > 2 || (i < characters.length - 1 && chance.below(4) > 0)) return character
      const code = character.codePointAt(0)!
      return chance.below(2) === 0 ? `&#${code};` : `&#x${code.toString(16)};`
    })
    .join('')
}

/** A CDATA section cannot contain references, so it ends before the first one. */
function toSection(content: string, chance: Chance): string {
  const plain = /^[^&]*/.exec(content)![0]
  if (plain === '') return content
  const [section = ''] = plain.length > 1 && chance.below(2) === 0 ? chance.cut(plain, 2) : [plain]
  return `<![CDATA[${section}]]>${content.slice(section.length)}`
}
