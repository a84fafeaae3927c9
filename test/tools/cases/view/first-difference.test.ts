import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCase } from '../../../../src/contract/files/case.ts'
import { findFirstDifference } from '../../../../src/tools/cases/view/first-difference.ts'

const text = readFileSync(join(import.meta.dirname, '../booking-race.jsonl'), 'utf8')
const one = parseCase(text)
const compare = (other: string) => findFirstDifference(one, parseCase(other), 'other')

test('cases are equal if only IDs, timestamps, server addresses and world names differ', () => {
  const again = text
    .replaceAll('2026-05-04T12:00:01', '2026-05-04T12:00:09')
    .replaceAll('8169254693', '8169254699')
    .replaceAll('req-c', 'req-zz')
    .replaceAll('127.0.0.1:45331', '127.0.0.1:1')
    .replaceAll('/w/booking-race', '/w/another')
  expect(again).not.toBe(text)
  expect(compare(again)).toEqual({ name: 'other', differences: [] })
})

test('the first different step is reported with its differences', () => {
  const changed = text.replaceAll('"lastName\\":\\"Case 3', '"lastName\\":\\"Case 9')
  const { step, differences } = compare(changed)
  expect(step).toBe(5)
  expect(differences).toEqual([{ path: 'call.body.lastName', kind: 'value', recorded: 'Case 3', actual: 'Case 9' }])
  const [header, ...lines] = text.trim().split('\n')
  expect(compare([header, ...lines.slice(0, 4)].join('\n'))).toMatchObject({
    step: 5,
    differences: [{ kind: 'missing' }],
  })
})

test('a longer case differs at the last step of the shorter case', () => {
  const { steps } = one
  const short = { ...one, steps: steps.slice(0, 3) }
  expect(findFirstDifference(short, one, 'b')).toMatchObject({ step: 3, differences: [{ kind: 'further' }] })
})
