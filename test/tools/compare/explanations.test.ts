import { expect, test } from 'vitest'
import type { FoundDifference } from '../../../src/contract/records/control/comparison.ts'
import { explainDifferences, explainRows } from '../../../src/tools/compare/explanations.ts'

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
const candidate = (id: string, ...values: unknown[]) => ({ id, values, concerns: () => true })

/** Returns a trial function. For the choices of a trial, written as JSON, it finds these differences. */
const trialOf = (shows: Record<string, FoundDifference[]>) => (choices: object, until: number) =>
  Promise.resolve({ calls: 1, differences: shows[JSON.stringify(choices)]!.filter(({ step }) => step <= until) })

const target = found({ kind: 'value', place: 'body.error.details[].target', ours: 'zipCode', theirs: 'request-source' })
const missing = found({ kind: 'missing', place: 'body.county' })

test.each([
  ['an error with another reason', 200, 400, [target], {}],
  ['the same error', 200, 400, [], { 'guest-identity': 'required' }],
  ['a success with another difference', 400, 200, [missing], { 'guest-identity': 'required' }],
])(
  'the expected choices are learned if a choice turns the emulator response into %s',
  async (_, ours, theirs, left, choices) => {
    const candidates = [candidate('guest-identity', 'required')]
    const trial = trialOf({ '{"guest-identity":"required"}': left })
    const options = { candidates, trial, fits: () => true, lastStep: 1 }
    const explained = await explainDifferences([found({ ours, theirs })], options)
    expect(explained.choices).toEqual(choices)
  },
)

const status = (step: number, ours: number, theirs = 401) => found({ step, ours, theirs })

test('a choice explains nothing if it moves a difference from one step to another', async () => {
  const first = [status(1, 200), status(2, 400), status(3, 404)]
  const trial = trialOf({
    '{"base-path":"with"}': [status(1, 404), status(2, 404), status(3, 404)],
    '{"guest-identity":"required"}': [],
  })
  const candidates = [candidate('base-path', 'with'), candidate('guest-identity', 'required')]
  const { choices } = await explainDifferences(first, { candidates, trial, fits: () => true, lastStep: 3 })
  expect(choices).toEqual({ 'guest-identity': 'required' })
})

test('steps whose difference a choice explains are listed separately from the other steps', async () => {
  const first = [status(1, 200), status(4, 200)]
  const trial = trialOf({ '{"guest-identity":"required"}': [status(4, 200)] })
  const candidates = [candidate('guest-identity', 'required')]
  const explained = await explainDifferences(first, { candidates, trial, fits: () => true, lastStep: 4 })
  const rows = explainRows({ whole: [{ ...status(1, 200), count: 5 }], inSteps: first, byKey: explained.byKey })
  expect(rows).toMatchObject([
    { step: 1, count: 1, explanation: 'choice: guest-identity', value: 'required' },
    { step: 4, count: 4, explanation: 'unexplained' },
  ])
  const [only] = first
  const alike = explainRows({ whole: [{ ...only!, count: 5 }], inSteps: [only!], byKey: explained.byKey })
  expect(alike).toMatchObject([{ count: 5, explanation: 'choice: guest-identity' }])
})

test('a choice explains an upstream error status even if its body needs another choice', async () => {
  const trial = trialOf({
    '{"error-shape":"empty"}': [status(1, 200)],
    '{"error-shape":"problem"}': [status(1, 200)],
    '{"guest-identity":"required"}': [target],
    '{"guest-identity":"required","error-shape":"empty"}': [target],
    '{"guest-identity":"required","error-shape":"problem"}': [],
  })
  const candidates = [candidate('error-shape', 'empty', 'problem'), candidate('guest-identity', 'required')]
  const options = { candidates, trial, fits: () => true, lastStep: 1 }
  const { choices, byKey } = await explainDifferences([status(1, 200)], options)
  expect(choices).toEqual({ 'guest-identity': 'required', 'error-shape': 'problem' })
  expect([...byKey.values()]).toEqual([{ id: 'guest-identity', value: 'required' }])
})

test('a choice is not learned if the other choices already remove all of its differences', async () => {
  const first = [status(1, 200), missing]
  const trial = trialOf({
    '{"page-size":7}': [missing],
    '{"page-size":7,"page-max":7}': [],
    '{"page-max":7}': [],
  })
  const candidates = [candidate('page-size', 7), candidate('page-max', 7)]
  const options = { candidates, trial, fits: () => true, lastStep: 1 }
  const { choices, byKey } = await explainDifferences(first, options)
  expect(choices).toEqual({ 'page-max': 7 })
  expect([...byKey.values()]).toEqual([
    { id: 'page-max', value: 7 },
    { id: 'page-max', value: 7 },
  ])
})
