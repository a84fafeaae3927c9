import { expect, test } from 'vitest'
import { yielding } from '../../../src/server/ports/yielding.ts'

const numbers = Array.from({ length: 1000 }, (_, i) => i)

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('yielding visits every item in order and lets other tasks run every few milliseconds', async () => {
  let longest = 0
  let last = performance.now()
  const others = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 0)
  const seen: number[] = []
  for await (const i of yielding(numbers)) {
    work(0.2)
    seen.push(i)
  }
  clearInterval(others)
  expect(seen).toEqual(numbers)
  expect(longest).toBeLessThan(100)
})

test('yielding() does not yield to the event loop if the work is short', async () => {
  let ticks = 0
  setImmediate(() => ticks++)
  let count = 0
  for await (const _ of yielding([1, 2, 3])) count++
  expect([count, ticks]).toEqual([3, 0])
})

test('yielding throws the reason of an aborted signal before the next item', async () => {
  const left = new AbortController()
  const seen: number[] = []
  const read = async () => {
    for await (const i of yielding(numbers, left.signal)) {
      seen.push(i)
      if (i === 4) left.abort(new Error('left'))
    }
  }
  await expect(read()).rejects.toThrow('left')
  expect(seen).toEqual([0, 1, 2, 3, 4])
})
