import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessageForJournal } from '../../../src/server/billing/journaled-message.ts'
import { holds } from '../../../src/server/domain/control/contained-values.ts'
import { openSentBody, readBody } from '../../../src/server/trace/journaled-bodies.ts'

type Wanted = Readonly<Record<string, unknown>>

/** Judges by what the journal shows, without any short cut. */
function holdsShown(text: string, wanted: Wanted, readMessage?: typeof readMessageForJournal): boolean {
  const { fields, body } = readBody(text, readMessage)
  return holds(fields ?? body, wanted)
}

function expectSame(texts: readonly string[], wanted: readonly Wanted[], readMessage?: typeof readMessageForJournal) {
  for (const text of texts) {
    const sent = openSentBody(text, readMessage)
    const told = (fits: (each: Wanted) => boolean) => [text.slice(0, 500), wanted.filter(fits)]
    expect(told((each) => sent.holds(each))).toEqual(told((each) => holdsShown(text, each, readMessage)))
  }
  expect(wanted.filter((each) => !texts.some((text) => holdsShown(text, each, readMessage)))).toEqual([])
}

const LONG = 'x'.repeat(20_000)

test('a JSON body is judged by its text as by what the journal shows of it, however it is spelt', () => {
  expectSame(
    [
      '',
      'null',
      'a=Anna&b=1',
      '{"a":"Anna","b":1',
      '\uFEFF{"a":"Anna"}',
      '{"a":"Anna","b":1,"c":[{"name":"x","i":7}]}',
      String.raw`{"\u0061":"\u0041nna","b":1}`,
      String.raw`{"a":"A\/B \"quoted\" \\ \n","c":[{"name":"\u00e9","i":7}]}`,
      '{"a":"é","\u{1F600}":"\u{1F600}"}',
      String.raw`{"a":"\u00e9","\ud83d\ude00":"\uD83D\uDE00"}`,
      '{"b":1.0}',
      '{"b":1e0}',
      '{"b":1.2e1}',
      '{"b":10E-1,"n":-0}',
      '{"b":"1","n":0.0}',
      '{"b":"1.0","n":"-0"}',
      '{"b":9007199254740993}',
      '{"b":9007199254740992,"n":1e999}',
      '{"b":1e21,"n":-1e-7}',
      '{"b":123456789012345678901234567890}',
      '{"b":true,"n":null}',
      '{"b":"true","n":"null"}',
      '{"a":"old","a":"Anna","":""}',
      '{"__proto__":{"b":1},"constructor":2}',
      '[{"a":"Anna"}]',
      '{"a":{"b":{"c":[[1,[2,{"d":"deep"}]]]}}}',
      '{"token":"secret1","nested":{"accessToken":{"b":1}},"link":"/x?token=abc&b=1"}',
      '{"token":"[redacted]","nested":"[cut]"}',
      JSON.stringify({ a: LONG, b: 1, z: 'behind' }),
      JSON.stringify({ list: Array.from({ length: 3000 }, (_, i) => ({ name: `entry ${i}`, i })) }),
      `{"a":${'['.repeat(7000)}${']'.repeat(7000)},"b":1}`,
    ],
    [
      {},
      { a: 'Anna' },
      { a: 'é' },
      { '\u{1F600}': '\u{1F600}' },
      { a: 'A/B "quoted" \\ \n' },
      { b: 1 },
      { b: '1' },
      { b: 12 },
      { b: '1.0' },
      { b: true },
      { b: 'true' },
      { b: 9007199254740992 },
      { b: 1e21 },
      { b: '1e+21' },
      { b: '1.2345678901234568e+29' },
      { n: 0 },
      { n: '0' },
      { n: '-0' },
      { n: 'Infinity' },
      { n: -1e-7 },
      { n: null },
      { '': '' },
      { c: [] },
      { c: [{ name: 'x', i: 7 }] },
      { c: [{ i: '7' }] },
      { a: { b: { c: [[[{ d: 'deep' }]]] } } },
      { constructor: 2 },
      { token: 'secret1' },
      { link: '/x?token=abc&b=1' },
      { nested: { accessToken: { b: 1 } } },
      { nested: '[cut]' },
      { list: [{ name: 'entry 2', i: 2 }] },
      { list: [{ name: 'entry 400' }, { i: 9 }, { i: 8 }] },
      { list: [{ '[cut]': '[cut]' }] },
    ],
  )
})

test('what is cut from a long body is not found by its text, and secrets are', () => {
  const long = JSON.stringify({ a: LONG, z: 'behind' })
  const secret = '{"token":"secret1","link":"/x?token=abc"}'
  const judge = (text: string, wanted: Wanted) => [
    openSentBody(text, undefined).holds(wanted),
    holdsShown(text, wanted),
  ]
  expect(judge(long, { z: 'behind' })).toEqual([false, false])
  expect(judge(long, { a: LONG })).toEqual([false, false])
  expect(judge(secret, { token: 'secret1' })).toEqual([true, true])
  expect(judge(secret, { link: '/x?token=abc' })).toEqual([true, true])
})

function soap(inputs: string, more = ''): string {
  return `<?xml version="1.0"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
    <x:createServiceToken xmlns:x="http://ws.iap.vendor.com/">${inputs}</x:createServiceToken></e:Body></e:Envelope>${more}`
}

test('a SOAP call is judged by its text as by the fields that the journal shows, however it is spelt', () => {
  expectSame(
    [
      '',
      'none',
      soap('<sku>A&B</sku>'),
      soap('<sku>A&amp;B</sku><count>7</count>'),
      soap('<sku><![CDATA[A&B]]></sku><count>&#55;</count>'),
      soap('<sku>A<!-- between -->B</sku><count>7.0</count>'),
      soap('<sku>A<![CDATA[B]]></sku><y:count xmlns:y="urn:y">7<!----></y:count>'),
      soap('<sku>A\r\nB</sku>'),
      soap('<sku>A\nB</sku><count> 7 </count>'),
      soap('<outer><inner sku="AB">AB</inner><inner>CD</inner></outer><nothing/>', '<!-- sku -->'),
      soap('<serviceToken>abc</serviceToken><sku>AB</sku>'),
      soap('plain'),
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header/></e:Envelope>',
    ],
    [
      { sku: 'A&B' },
      { sku: 'AB' },
      { sku: 'A\nB' },
      { count: 7 },
      { count: '7' },
      { count: '7.0' },
      { count: ' 7 ' },
      { createServiceToken: { sku: 'AB' } },
      { createServiceToken: 'plain' },
      { outer: { inner: 'CD' } },
      { nothing: '' },
      { serviceToken: 'abc' },
      {},
    ],
    readMessageForJournal,
  )
})

/** Spells each character and number in one of several ways. */
function spell(value: unknown, next: () => number): string {
  if (typeof value === 'number') return [String(value), value.toExponential(), `${value * 10}e-1`][next() % 3]!
  if (typeof value === 'string') {
    const text = JSON.stringify(value)
    const coded = (letter: string) => `\\u00${letter.charCodeAt(0).toString(16)}`
    return text.includes('\\') ? text : text.replace(/[a-z]/g, (each) => (next() % 9 === 0 ? coded(each) : each))
  }
  if (Array.isArray(value)) return `[${value.map((each) => spell(each, next)).join(' , ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value).map(([name, each]) => `${spell(name, next)}:${spell(each, next)}`)}}`
}

test('bodies by chance, spelt by chance, are judged as the journal shows them', () => {
  const names = fc.constantFrom('a', 'b', 'name', 'token', 'zip code')
  const leaf = fc.oneof(
    fc.integer({ min: -3, max: 12 }),
    fc.constantFrom('a', 'abc', '7', 'true', '[cut]', 'x?token=b', 'é', 1.5),
    fc.boolean(),
    fc.constant(null),
  )
  const { value } = fc.letrec<{ value: unknown; object: Wanted }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  }))
  const object = fc.dictionary(names, value, { maxKeys: 4 })
  const seen = { held: 0, not: 0 }
  fc.assert(
    fc.property(object, object, fc.array(fc.nat(), { minLength: 1 }), (given, other, chance) => {
      let at = 0
      const text = spell(given, () => chance[at++ % chance.length]!)
      const parts = Object.entries(given).map(([name, each]): Wanted => ({ [name]: each }))
      for (const wanted of [given, other, { ...given, ...other }, ...parts]) {
        const isHeld = holdsShown(text, wanted)
        seen[isHeld ? 'held' : 'not']++
        expect(openSentBody(text, undefined).holds(wanted)).toBe(isHeld)
      }
    }),
    { numRuns: 500 },
  )
  expect(Math.min(seen.held, seen.not)).toBeGreaterThan(150)
})

test('21 a body is read once for all who ask, and not at all where its text lacks what they want', () => {
  let reads = 0
  const text = soap('<sku>AB</sku><sku>CD</sku><count>7</count>')
  const sent = openSentBody(text, (message) => {
    reads++
    return readMessageForJournal(message)
  })
  expect([{ none: 'AB' }, { sku: 'EF' }, { count: 8 }].filter((wanted) => sent.holds(wanted))).toEqual([])
  expect(reads).toBe(0)
  expect([{ sku: 'AB' }, { sku: 'CD' }, { count: '7' }].filter((wanted) => sent.holds(wanted))).toHaveLength(2)
  expect(reads).toBe(1)
})
