import { expect, test } from 'vitest'
import { decodeAll } from '../../../src/contract/cases/hidden-text.ts'

test.each([
  ['a comment', 'AB<!-- x -->CD'],
  ['an instruction', 'AB<?x y?>CD'],
  ['CDATA sections', '<![CDATA[AB]]><![CDATA[CD]]>'],
  ['references with leading zeros', '&#0000000065;&#x000042;CD'],
])('a secret is read out of a text however %s parts it', (_, text) => {
  expect(decodeAll(`<t>${text}</t>`)).toBe('<t>ABCD</t>')
})

test('what is not closed hides all that stands behind it', () => {
  expect(decodeAll('<t>AB<?x CD')).toBe('<t>AB')
})
