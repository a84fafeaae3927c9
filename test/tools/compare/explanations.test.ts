import { expect, test } from 'vitest'
import type { ComparisonReport, FoundDifference } from '../../../src/contract/records/control/comparison.ts'
import { explainDifferences } from '../../../src/tools/compare/explanations.ts'

const found = (more: Partial<FoundDifference>): FoundDifference => ({
  operation: '30',
  route: 'GET /guest/zipCode',
  place: 'status',
  kind: 'status',
  count: 1,
  step: 1,
  explanation: 'unexplained',
  ...more,
})
const reportOf = (...differences: FoundDifference[]): ComparisonReport => ({
  comparison: 1,
  upstream: 'http://upstream.example',
  calls: 1,
  left: { writes: 0, secrets: 0, control: 0 },
  streams: { compared: 0, notCompared: 0 },
  differences,
  unlisted: 0,
  distance: [],
  exceeded: [],
})
const target = found({ kind: 'value', place: 'body.error.details[].target', ours: 'zipCode', theirs: 'request-source' })
const missing = found({ kind: 'missing', place: 'body.county' })

test.each([
  ['a refusal for another reason', 200, 400, [target], {}],
  ['the same refusal', 200, 400, [], { 'guest-identity': 'required' }],
  ['a success that differs elsewhere', 400, 200, [missing], { 'guest-identity': 'required' }],
])(
  'a choice that brings ours to %s explains the status as far as that goes',
  async (_, ours, theirs, left, choices) => {
    const candidates = [{ id: 'guest-identity', values: ['required'], rank: () => 0, concerns: () => true }]
    const trial = () => Promise.resolve(reportOf(...left))
    const options = { candidates, trial, fits: () => true, lastStep: 1 }
    const explained = await explainDifferences(reportOf(found({ ours, theirs })), options)
    expect(explained.choices).toEqual(choices)
  },
)
