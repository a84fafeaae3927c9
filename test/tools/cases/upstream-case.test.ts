import { expect, test } from 'vitest'
import { shrinkCase } from '../../../src/cli/cases/shrink.ts'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { parseCase, writeCase, upstreamHeader } from '../../../src/contract/files/case.ts'

const call = (step: number, zipCode: string, status: number, tokens?: string[]) => ({
  step,
  at: `2026-05-06T16:00:0${step}.000Z`,
  ...(tokens && { tokens }),
  call: {
    method: 'GET',
    path: `/stg/us/guest/zipCode?zipCode=${zipCode}`,
    headers: { 'request-source': 'vendor.com', ...(tokens && { authorization: 'Bearer {{token:1}}' }) },
  },
  reply: { status },
})
const lines = (...steps: object[]) => [upstreamHeader, ...steps].map((line) => `${JSON.stringify(line)}\n`).join('')

test('a case without an initial state replays from the default fixtures', async () => {
  const text = lines(call(1, '07660', 200), call(2, '00000', 404), call(3, '1', 400))
  expect(text.split('\n')[0]).toBe('{"case":2,"origin":"upstream"}')
  expect(parseCase(text).header).toMatchObject({ start: '2026-05-06T16:00:01.000Z', tokens: [] })
  const report = await replayText(text)
  expect(report).toMatchObject({ same: false, first: { step: 1 } })
  // This case contains no headers, and the statuses are equal.
  expect(report.first!.differences.every(({ path }) => path.startsWith('reply.headers'))).toBe(true)
})

const clock = {
  step: 1,
  at: '2026-05-06T16:00:01.000Z',
  control: { method: 'PUT', path: '/_control/clock', headers: {} },
  reply: { status: 200 },
}

test.each([
  ['it has no steps', lines()],
  ['the timestamp of its first step must be from', lines({ ...call(1, '07660', 200), at: '9999-05-06T16:00:00.000Z' })],
  [
    'step 2, GET /stg/us/guest/zipCode?zipCode=1, failed: its timestamp must be from',
    lines(clock, { ...call(2, '1', 400), at: '9999-05-06T16:00:00.000Z' }),
  ],
])('a case that cannot be replayed is rejected with the reason: %s', async (message, text) => {
  await expect(replayText(text)).rejects.toThrow(`the case cannot be replayed: ${message}`)
})

test('a case without an initial state keeps its header when it is shrunk', async () => {
  const { header, steps } = parseCase(lines(call(1, '07660', 200), call(2, '1', 400)))
  // Without bodies, the responses are equal.
  const heads = steps.map((step) => ('call' in step ? { ...step, call: { ...step.call, method: 'HEAD' } } : step))
  const small = await shrinkCase({ header, steps: heads })
  const again = parseCase(writeCase(small))
  expect(again.header).toEqual(header)
  expect(again.steps).toMatchObject([{ step: 1, call: { path: '/stg/us/guest/zipCode?zipCode=1' } }])
})

test('a truncated case is read up to its last complete line', () => {
  const whole = lines(call(1, '07660', 200, ['aaaa0000']), call(2, '07660', 200))
  for (let end = whole.lastIndexOf('{"step"') + 1; end < whole.length - 1; end += 7) {
    const { header, steps } = parseCase(whole.slice(0, end))
    expect([header.tokens, steps.length]).toEqual([['aaaa0000'], 1])
    expect(steps[0]).not.toHaveProperty('tokens')
  }
  expect(parseCase(whole.trimEnd()).steps).toHaveLength(2)
  expect(() => parseCase(`${whole}{"step":3`.replace('"status":200', '"status":2x0'))).toThrow(
    'line 2 is not valid JSON',
  )
})
