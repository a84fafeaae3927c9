import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { parseXml, type XmlElement } from '../../../src/server/billing/xml.ts'
import { escapeXml } from '../../../src/server/billing/envelope.ts'

interface Tree {
  name: string
  attributes: Record<string, string>
  text: string
  elements: Tree[]
}

const name = fc.constantFrom('a', 'b-c', '_d', 'e.1', '\u00e9', 'secret')
const text = fc.string({ unit: fc.constantFrom('x', ' ', '\n', '<', '&', '>', '"', "'", '0', '\u{1F600}') })
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    name,
    attributes: fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }),
    text,
    elements: fc.oneof({ maxDepth: 4 }, fc.constant<Tree[]>([]), fc.array(tie('tree'), { maxLength: 3 })),
  }),
}))

const write = ({ name: tag, attributes, text: content, elements }: Tree): string => {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const inside = escapeXml(content) + elements.map(write).join('')
  return inside === '' ? `<${tag}${pairs.join('')}/>` : `<${tag}${pairs.join('')}>${inside}</${tag}>`
}

const ours = ({ name: tag, attributes, text: content, elements }: XmlElement): Tree => ({
  name: tag,
  attributes: Object.fromEntries(attributes.map((each) => [each.name, each.value])),
  text: content,
  elements: elements.map(ours),
})

/**
 * The same parser without guards. It accepts more than well-formed XML. For documents that the guards accept, the
 * result must be the same.
 */
const peer = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
})
type Node = Record<string, Node[] & string & Record<string, string>>
const textOf = (node: Node): string => node['#text'] ?? node['#cdata']?.map(textOf).join('') ?? ''
const theirs = (node: Node): Tree => {
  const tag = Object.keys(node).find((key) => key !== ':@') ?? ''
  const children: Node[] = node[tag] ?? []
  const elements = children.filter((child) => !('#text' in child) && !('#cdata' in child))
  const attributes = Object.entries<string>(node[':@'] ?? {}).filter(([key]) => key !== 'xmlns')
  return {
    name: tag,
    attributes: Object.fromEntries(attributes.map(([key, value]) => [key, value.replace(/[\t\n\r]/g, ' ')])),
    text: children.map(textOf).join(''),
    elements: elements.map(theirs),
  }
}

test('arbitrary XML that was written is parsed back unchanged', () => {
  fc.assert(
    fc.property(tree, (written) => {
      expect(ours(parseXml(write(written)))).toEqual(written)
    }),
  )
})

test('a damaged message is either rejected or parsed the same way as by fast-xml-parser', () => {
  const damage = fc.tuple(
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '<', '>', '/', '"', '=', ' ', 'a', '!', '-', '<!---->', ']'),
  )
  let read = 0
  fc.assert(
    fc.property(tree, fc.array(damage, { minLength: 1, maxLength: 2 }), (whole, damages) => {
      const damaged = damages.reduce(
        (xml, [place, length, insert]) => {
          const at = place % xml.length
          return xml.slice(0, at) + insert + xml.slice(at + length)
        },
        write(whole).replaceAll('&', '.'),
      )
      const tried = attempt(() => ours(parseXml(damaged)))
      if (!tried) return
      read++
      expect(tried).toEqual(theirs(peer.parse(damaged).find((node: Node) => !('#text' in node))))
    }),
    { numRuns: 2000 },
  )
  expect(read).toBeGreaterThan(100)
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    expect(error).toMatchObject({ faultcode: 'Client' })
    return undefined
  }
}
