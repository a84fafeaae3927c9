import { expect, test } from 'vitest'
import { findInPieces, replaceInPieces, SHORT } from '../../../src/contract/cases/long-texts.ts'
import { finish } from '../../../src/contract/cases/long-work.ts'
import { SecretSearch } from '../../../src/contract/cases/secret-search.ts'

/** Always the same letters of a small alphabet, so that what is sought comes often and overlaps. */
function draw(count: number, letters: string): string {
  let [state, drawn] = [1, '']
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    drawn += letters[(state >> 16) % letters.length]
  }
  return drawn
}

const patterns = [
  /(?<=^|b)(?<name>a+)b/g,
  /(?<q>["'])(?<value>[^"']*)\k<q>/g,
  /a[^b]{0,30}?ab/g,
  /(?<![ab])ba*$/g,
  /A{3}/gi,
]

test.each(patterns)('a long text is changed by pieces as it would be at once: %s', (pattern) => {
  const text = draw(5 * SHORT, `ab"' `)
  const write = (found: { index: number; text: string }) => `<${found.index} ${found.text}>`
  const atOnce = text.replace(pattern, (...found) => write({ text: found[0], index: found.findLast(Number.isInteger) }))
  expect(finish(replaceInPieces(text, pattern, write))).toBe(atOnce)
  expect([...findInPieces(text, pattern)].filter((found) => !found).length).toBeGreaterThan(4)
})

test('of all secrets that begin at one place the longest is found', () => {
  const text = draw(5000, 'ab')
  const secrets = Array.from({ length: 60 }, (_, i) => text.slice(i * 70, i * 70 + 8 + (i % 12)))
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length)
  const atOnce = text.replace(new RegExp(longestFirst.join('|'), 'g'), (secret) => `<${secret.length}>`)
  expect(new SecretSearch(secrets).replace(text, (secret) => `<${secret.length}>`)).toBe(atOnce)
})

test('a text that repeats itself is searched without comparing each of its places with a long secret', () => {
  const [half, whole] = ['a'.repeat(100_000), 'a'.repeat(400_000)]
  const secret = `${half}1${half}`
  expect(new SecretSearch([secret]).replace(`${whole}${secret}`, () => '!')).toBe(`${whole}!`)
})
