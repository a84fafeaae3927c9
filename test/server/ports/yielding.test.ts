import { expect, onTestFinished, test, vi } from 'vitest'
import { yielding } from '../../../src/server/ports/yielding.ts'

const numbers = Array.from({ length: 1000 }, (_, i) => i)

test('yielding visits every item in order and lets other tasks run every 5 ms', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
  let isDone = false
  const others: number[] = []
  const look = () => {
    if (others.at(-1) !== now) others.push(now)
    if (!isDone) setImmediate(look)
  }
  look()
  const seen: number[] = []
  for await (const i of yielding(numbers)) {
    now++
    seen.push(i)
  }
  isDone = true
  expect(seen).toEqual(numbers)
  expect(others).toEqual(Array.from({ length: numbers.length / 5 + 1 }, (_, i) => i * 5))
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
