import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBulkJson } from '../../../src/server/http/input/bulk-json.ts'

const reading = { parse: (piece: Buffer): unknown => JSON.parse(piece.toString('utf8')), giveWay: () => undefined }
const parse = (text: string) => parseBulkJson(Buffer.from(text), reading)
/** Longer than what is parsed at once. */
const LONG = 'x'.repeat(70_000)

test('a text is what JSON.parse makes of it, whatever is large in it', async () => {
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(LONG), fc.constant(`"[{,${LONG}\\"`))
  const values = fc.oneof(fc.array(leaf, { maxLength: 5 }), fc.dictionary(fc.string(), leaf, { maxKeys: 5 }))
  const nested = fc.oneof(values, fc.array(values), fc.dictionary(fc.string(), values))
  await fc.assert(
    fc.asyncProperty(nested, fc.constantFrom(0, 2), async (value, space) => {
      const text = JSON.stringify({ value, LONG }, null, space)
      expect(await parse(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 60 },
  )
})

const big = `"${LONG}"`
test.each([
  `[${big},]`,
  `[,${big}]`,
  `[${big},,${big}]`,
  `[${big}, ,1]`,
  `[1,${big}`,
  `[${big}}`,
  `{"a":${big},}`,
  `{"a" ${big}}`,
  `{a:${big}}`,
  `{"a":${big}]`,
  `{"a":[1,${big}},"b":[]}`,
  `[${big}]]`,
  `{"a":${big}} x`,
  `[${big}, {"a": [1}]`,
])('what is no JSON is refused wherever it stands (%#)', async (text) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  await expect(parse(text)).rejects.toThrow(SyntaxError)
})
