import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heap = () => {
  // V8 keeps the layout and the property names of an object for a few more garbage collections than the object itself.
  for (let round = 0; round < 5; round++) collect()
  return process.memoryUsage().heapUsed
}

const feedback = (further: string) => `{"rating":5,"comment":"fine",${further}}`
const bodies = {
  'a long field value': (i: number) => feedback(`"further":"${i}${'x'.repeat(900_000)}"`),
  'a long field name': (i: number) => feedback(`"${i}${'x'.repeat(900_000)}":1`),
  'a long field value with characters outside Latin-1': (i: number) =>
    feedback(`"further":"${i}${'語'.repeat(300_000)}"`),
  'a long body that is not JSON': (i: number) => `{${i}${'x'.repeat(900_000)}`,
  'a short body of empty objects': (i: number) => feedback(`"further":[${i},${'{},'.repeat(5000)}0]`),
  'a short body with characters outside Latin-1': (i: number) => feedback(`"further":"${i}${'語'.repeat(5000)}"`),
  'a short body with many field names': (i: number) =>
    `{${Array.from({ length: 1000 }, (_, name) => `"n${i}_${name}":0`).join()}}`,
}

test.each(Object.entries(bodies))(
  'a journal entry for %s uses hardly more memory than the journal counts',
  async (_, write) => {
    const { app, worlds } = buildTestApp()
    const post = async (i: number) => {
      const headers = { ...asGuest(), 'content-type': 'application/json' }
      await app.inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers, payload: write(i) })
    }
    await post(0)
    const before = heap()
    const counted = await weigh()
    // Twenty long bodies need 18 MB. Many more short bodies are needed for a measurable size.
    const count = write(1).length > 100_000 ? 20 : 60
    for (let i = 1; i <= count; i++) await post(i)
    const held = heap() - before
    expect(held).toBeLessThan(1.2 * ((await weigh()) - counted) + 5_000_000)

    async function weigh(): Promise<number> {
      let sum = 0
      for await (const { record } of worlds.find('default')!.journal.scan()) sum += record.weight
      return sum
    }
  },
)
