import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { TooManyJobs } from '../../../src/server/ports/failures.ts'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { citedRules } from '../../helpers/documents/cited-rules.ts'

test('two jobs run at a time, and the next one starts when one ends', async () => {
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

test('a job that streams text ends when its reader disconnects', async () => {
  const jobs = createJobQueue()
  async function* texts() {
    yield 'a'
    yield 'b'
  }
  for (let i = 0; i < 2; i++) for await (const _ of jobs.stream(texts())) break
  expect(await jobs.run(async () => 'done')).toBe('done')
})

test('the queue holds up to 50 waiting jobs and rejects one more', async () => {
  const jobs = createJobQueue()
  const ends: (() => void)[] = []
  const add = () => jobs.run(() => new Promise<void>((resolve) => ends.push(resolve)))
  const added = Array.from({ length: 52 }, add)
  await expect(add()).rejects.toThrow(TooManyJobs)
  expect(() => jobs.stream((async function* () {})())).toThrow(
    '2 large jobs are running and 50 are waiting. Try again later',
  )
  ends[0]!()
  await added[0]
  const last = add()
  for (let done = 1; done < 53; done++) {
    await setImmediate()
    ends[done]!()
  }
  await Promise.all([...added, last])
})

test.each(['snapshot', 'worlds/default/diff?with=default', 'journal?format=har'])(
  'parallel GET /_control/%s requests beyond the queue return 429 without blocking other requests',
  async (path) => {
    const { app } = buildTestApp()
    const guest = () => app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
    const [zip, ...replies] = await Promise.all([
      guest(),
      ...Array.from({ length: 80 }, () => app.inject(`/_control/${path}`)),
    ])
    const rejected = replies.filter(({ statusCode }) => statusCode === 429)
    expect(rejected.length).toBeGreaterThan(0)
    expect(replies.length - rejected.length).toBeGreaterThanOrEqual(52)
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]))
    expect(rejected[0]!.json().error).toMatchObject({
      code: 'TooManyRequestsError',
      message: '2 large jobs are running and 50 are waiting. Try again later',
    })
    expect(rejected[0]!.headers['retry-after']).toBe('1')
    expect(citedRules(rejected[0]!)).toEqual(['our choice: heavy-jobs'])
    expect(zip!.statusCode).toBe(200)
    expect((await app.inject(`/_control/${path}`)).statusCode).toBe(200)
  },
)
