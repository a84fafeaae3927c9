import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'

test('two jobs run at a time, and the next begins when one ends or fails', async () => {
  const jobs = createJobQueue()
  const begun: string[] = []
  const ends: Record<string, (error?: Error) => void> = {}
  const add = (name: string) =>
    jobs.run(() => {
      begun.push(name)
      return new Promise<void>((resolve, reject) => (ends[name] = (error) => (error ? reject(error) : resolve())))
    })
  const [a, b] = [add('a'), add('b'), add('c'), add('d')]
  await setImmediate()
  expect(begun).toEqual(['a', 'b'])
  ends['a']!(new Error('failed'))
  await expect(a).rejects.toThrow('failed')
  await setImmediate()
  expect(begun).toEqual(['a', 'b', 'c'])
  ends['b']!()
  await b
  await setImmediate()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('a stream of texts ends its job when its reader leaves', async () => {
  const jobs = createJobQueue()
  async function* texts() {
    yield 'a'
    yield 'b'
  }
  for (let i = 0; i < 2; i++) for await (const _ of jobs.stream(texts())) break
  expect(await jobs.run(async () => 'done')).toBe('done')
})
