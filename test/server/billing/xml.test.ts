import { describe, expect, test } from 'vitest'
import { decodeXml } from '../../../src/server/billing/message-body.ts'
import { parseXml } from '../../../src/server/billing/xml.ts'
import { escapeXml } from '../../../src/server/billing/envelope.ts'

const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)
const attributes = (count: number) => Array.from({ length: count }, (_, i) => ` a${i}=""`).join('')
const prefixes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ` xmlns:p${from + i}="u"`).join('')
const refusal = (text: string) => {
  try {
    parseXml(text)
    return undefined
  } catch (error) {
    return error as { faultcode?: string }
  }
}

describe('XML that is not well-formed or not allowed', () => {
  test.each([
    ['nothing', ''],
    ['text of white space only', ' \n'],
    ['text without an element', 'secret'],
    ['an unclosed element', '<a><b></a>'],
    ['elements that are never closed', '<a><b>'],
    ['overlapping tags', '<a><b></a></b>'],
    ['an extra end tag', '<a></a></a>'],
    ['an incomplete tag', '<a><b'],
    ['two roots', '<a/><b/>'],
    ['more than 1,000 elements', `<a>${'<b/>'.repeat(1000)}</a>`],
    ['more than 1,000 attributes', `<a>${`<b${attributes(100)}/>`.repeat(10)}<c d=""/></a>`],
    ['more than 100 prefixes on one element', `<a${prefixes(0, 101)}/>`],
    ['more than 100 prefixes in scope', `<a${prefixes(0, 60)}><b${prefixes(50, 101)}/></a>`],
    ['text after the root', '<a/>x'],
    ['text before the root', 'x<a/>'],
    ['a CDATA section outside the root', '<![CDATA[x]]><a/>'],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['a document type inside the root', '<a><!DOCTYPE a [<!ENTITY x "y">]></a>'],
    ['a reference to a custom entity', '<a>&x;</a>'],
    ['a bare ampersand', '<a>x & y</a>'],
    ['a bare ampersand in an attribute', '<a b="x & y"/>'],
    ['a reference without its semicolon', '<a>&amp</a>'],
    ['a reference to a forbidden character', '<a>&#0;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['an upper-case X in a reference', '<a>&#X41;</a>'],
    ['a processing instruction', '<a><?php x?></a>'],
    ['a processing instruction before the root', '<?xml-stylesheet href="x"?><a/>'],
    ['a second XML declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>'],
    ['an XML declaration after white space', ' <?xml version="1.0"?><a/>'],
    ['a declaration of XML 1.1', '<?xml version="1.1"?><a/>'],
    ['a declaration without a version', '<?xml encoding="UTF-8"?><a/>'],
    ['a repeated attribute', '<a b="1" b="2"/>'],
    ['an attribute repeated under another prefix', '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>'],
    ['an attribute without a value', '<a b/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['attributes without a space', '<a b="1"c="2"/>'],
    ['a tag inside an attribute', '<a b="<c/>"/>'],
    ['a control character', '<a>\u0007</a>'],
    ['a NUL', '<a>\u0000</a>'],
    ['a lone surrogate', '<a>\ud800</a>'],
    ['a noncharacter', '<a>\uffff</a>'],
    ['two dashes in a comment', '<a><!-- x -- y --></a>'],
    ['a comment that is not closed', '<a><!-- x </a>'],
    ['a CDATA section that is not closed', '<a><![CDATA[x</a>'],
    ['text that contains ]]>', '<a>x]]>y</a>'],
    ['a name that begins with a digit', '<1a/>'],
    ['a name that begins with a dash', '<-a/>'],
    ['a space before the name', '< a/>'],
    ['two colons in a name', '<a:b:c xmlns:a="u"/>'],
    ['an empty prefix', '<:a/>'],
    ['an undeclared prefix', '<p:a/>'],
    ['an undeclared prefix of an attribute', '<a p:b="1"/>'],
    ['an undeclared prefix deep inside', '<a><b><p:c/></b></a>'],
    ['a prefix used outside its scope', '<a><b xmlns:p="u"/><p:c/></a>'],
    ['a prefix bound to an empty namespace', '<a xmlns:p=""/>'],
    ['a declaration of the prefix xmlns', '<a xmlns:xmlns="u"/>'],
    ['the prefix xml bound to another namespace', '<a xmlns:xml="u"/>'],
    ['another prefix bound to the xml namespace', '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>'],
    ['an element with the prefix xmlns', '<xmlns:a/>'],
    ['nesting of 33 levels', nested(33)],
  ])('the XML parser rejects %s', (_, text) => {
    expect(refusal(text)).toMatchObject({ faultcode: 'Client' })
  })
})

test.each([
  [' <?xml version="1.0"?><a/>', 'the XML declaration is not at the very beginning of the message'],
  ['<a/><?xml version="1.0"?>', 'the XML declaration is not at the very beginning of the message'],
  ['<!DOCTYPE a><a/>', 'a document type (DOCTYPE) is not allowed'],
  ['<a><!doctype a></a>', 'a document type (DOCTYPE) is not allowed'],
  ['<?xml-stylesheet href="x"?><a/>', 'a processing instruction is not allowed'],
  ['<a><!-- x -- y --></a>', 'a comment contains --'],
  ['<a><!-- x </a>', 'a comment is not closed'],
  ['<a><![CDATA[x</a>', 'a CDATA section is not closed'],
  ['<a c="2" b=1/>', 'the value of an attribute is not in quotes'],
  ['<a b="<c/>"/>', 'an attribute or a tag contains <'],
  ['<a><b', 'a tag is not closed'],
  ['<a b="1"c="2"/>', 'a tag is malformed. Check its name, its attributes and the spaces between them'],
  ['<a><b></b>', 'the element a is not closed'],
  ['<a><b></a></b>', 'the end tag of a does not close b'],
  ['<a></a></b>', 'the end tag of b does not close an element'],
])('the fault for %s names the cause', (text, message) => {
  expect(refusal(text)).toMatchObject({ faultcode: 'Client', message })
})

test('a long invalid message is rejected within a second', () => {
  const long = ['=', '"', "'", '<', '<!--', ' ', '= ', '-', 'a=', 'a="', 'a ']
  const started = performance.now()
  for (const piece of long) refusal(`<a><b ${piece.repeat(60_000 / piece.length)}`)
  expect(performance.now() - started).toBeLessThan(1000)
})

describe('XML that is accepted', () => {
  test.each([
    ['an XML declaration with all attributes', `<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\r\n<a/>`, ''],
    ['comments at any position', '<!-- - --><a>1<!-- <b> & -->2</a><!-- -->', '12'],
    ['CDATA', '<a>x<![CDATA[<&amp;]]>y</a>', 'x<&amp;y'],
    ['the five predefined entities', '<a>&lt;&gt;&amp;&quot;&apos;</a>', '<>&"\''],
    ['character references, which are decoded only once', '<a>&#65;&#x42;&#x1F600;&#38;lt;</a>', 'AB\u{1F600}&lt;'],
    ['digits with leading zeros', '<a>000012</a>', '000012'],
    ['white space, which is not trimmed', '<a> 1\t\n </a>', ' 1\t\n '],
    ['line ends, which are normalized to \\n', '<a>1\r\n2\r3</a>', '1\n2\n3'],
    ['a number, as text', '<a>1e3</a>', '1e3'],
    ['element names with non-ASCII letters', '<\u00e9l\u00e9ment-1.x>x</\u00e9l\u00e9ment-1.x >', 'x'],
    [
      'element names that are special in JavaScript',
      '<a __proto__="1"><constructor/>x<__proto__ toString="2"/></a>',
      'x',
    ],
    ['an attribute that contains >', `<a b="x>y" c='"'>z</a>`, 'z'],
  ])('the XML parser accepts %s', (_, text, expected) => {
    expect(parseXml(text).text).toBe(expected)
  })

  test('a document with 1,000 elements is accepted', () => {
    expect(parseXml(`<a>${'<b/>'.repeat(999)}</a>`).elements).toHaveLength(999)
  })

  test('a document with 1,000 attributes or 100 prefixes is accepted', () => {
    expect(parseXml(`<a>${`<b${attributes(100)}/>`.repeat(10)}</a>`).elements).toHaveLength(10)
    const text = `<a xmlns="v"${prefixes(0, 60)}><b${prefixes(40, 100)}/><b${prefixes(60, 100)}/></a>`
    expect(parseXml(text).elements).toHaveLength(2)
  })

  test('a document with 32 levels is accepted', () => {
    expect(parseXml(nested(32)).name).toBe('a')
  })

  test('namespaces are resolved by declaration, not by prefix', () => {
    const text =
      '<p:a xmlns:p="u"><b xmlns="v" p:x="1" x="2"><c xmlns=""/><p:d xmlns:p="w"/></b><q:e xmlns:q="u"/></p:a>'
    const root = parseXml(text)
    const [b, e] = root.elements
    expect([root, b, ...(b?.elements ?? []), e].map((each) => [each?.namespace, each?.name])).toEqual([
      ['u', 'a'],
      ['v', 'b'],
      ['', 'c'],
      ['w', 'd'],
      ['u', 'e'],
    ])
    expect(b?.attributes).toEqual([
      { namespace: 'u', name: 'x', value: '1' },
      { namespace: '', name: 'x', value: '2' },
    ])
  })

  test('escaped text is parsed back unchanged', () => {
    const text = `<a href="x">&amp;'\r\n\t]]>`
    const root = parseXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)
    expect([root.text, root.attributes[0]?.value]).toEqual([text, text])
  })
})

describe('the encoding is detected', () => {
  const utf16le = (text: string) => Buffer.from(text, 'utf16le')
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const text = '<a>\u00fc\u{1F600}</a>'
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${text}`

  test.each([
    ['UTF-8 by default', Buffer.from(text), undefined, text],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), undefined, text],
    ['UTF-8 declared by charset', Buffer.from(text), 'UTF-8', text],
    ['UTF-8 declared in the XML declaration', Buffer.from(declared('utf-8')), undefined, declared('utf-8')],
    ['ASCII declared in the XML declaration', Buffer.from(declared('ASCII')), undefined, declared('ASCII')],
    ['US-ASCII declared in the XML declaration', Buffer.from(declared('us-ascii')), undefined, declared('us-ascii')],
    ['US-ASCII declared by charset', Buffer.from(text), 'US-ASCII', text],
    [
      'a charset that takes precedence over the XML declaration',
      Buffer.from(declared('ISO-8859-1')),
      'utf-8',
      declared('ISO-8859-1'),
    ],
    ['UTF-16 with a little-endian byte order mark', utf16le(`\ufeff${text}`), undefined, text],
    ['UTF-16 with a big-endian byte order mark', utf16be(`\ufeff${text}`), undefined, text],
    ['a byte order mark that takes precedence over the charset', utf16le(`\ufeff${text}`), 'utf-8', text],
    ['UTF-16LE declared by charset', utf16le(text), 'utf-16le', text],
    ['UTF-16BE declared by charset', utf16be(text), 'utf-16be', text],
    ['UTF-16 declared by charset, without a byte order mark', utf16le(text), 'utf-16', text],
    [
      'UTF-16 declared in the XML declaration, without a byte order mark',
      utf16be(declared('UTF-16')),
      undefined,
      declared('UTF-16'),
    ],
  ])('the message is decoded as expected: %s', (_, bytes, charset, expected) => {
    expect(decodeXml(bytes, charset)).toBe(expected)
  })

  test.each([
    ['an unsupported charset', Buffer.from(text), 'iso-8859-1'],
    ['an unsupported encoding in the XML declaration', Buffer.from(declared('windows-1252')), undefined],
    ['UTF-8 text that declares UTF-16', Buffer.from(declared('utf-16')), undefined],
    ['bytes that are not UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c]), undefined],
    ['UTF-16 with a lone surrogate', utf16le('\ufeff<a>\ud800</a>'), undefined],
    ['UTF-16 that ends within a character', utf16le(`\ufeff${text}`).subarray(0, -1), undefined],
  ])('a message with %s is rejected', (_, bytes, charset) => {
    expect(() => decodeXml(bytes, charset)).toThrow(expect.objectContaining({ faultcode: 'Client' }))
  })
})
