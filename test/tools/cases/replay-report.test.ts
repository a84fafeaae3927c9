import { expect, test } from 'vitest'
import { asUsageError } from '../../../src/cli/cases/replay.ts'
import { describeGroups, describeReplay } from '../../../src/tools/cases/player/replay-report.ts'

const long = 'x'.repeat(700_000)
const difference = { path: `body.${long}`, kind: 'value', recorded: long, actual: `${long}y` } as const

test('the report truncates a long path or value and counts the omitted characters', async () => {
  const told = describeReplay({ same: false, steps: 1, first: { step: 1, what: long, differences: [difference] } })
  expect(told.length).toBeLessThan(10_000)
  expect(told).toContain('+ "xxx')
  expect(told).toContain(' (698003 more characters)')
  const left = { writes: 0, control: 0, streams: 0, secrets: 0 }
  const groups = [{ ...difference, operation: long, count: 1, step: 1 }]
  expect(describeGroups({ same: false, asked: 1, left, groups }).length).toBeLessThan(10_000)
  const fails = () => Promise.reject(new Error(long))
  const error = await asUsageError('replayed', fails).catch((reason: Error) => reason)
  expect(error.message.length).toBeLessThan(3_000)
})
