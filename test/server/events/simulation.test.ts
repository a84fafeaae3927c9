import { expect, test } from 'vitest'
import { startEvents } from '../../helpers/documents/events.ts'
import type { Block } from '../../helpers/documents/stream-reader.ts'

interface Seen {
  deviceId: string
  attribute: string
  value: unknown
}

/** What a simulated home does in the first `steps` seconds after somebody looks. */
async function watch(seed: string, count: number): Promise<Seen[]> {
  const { stream, clockControl } = await startEvents({ seed, events: { simulate: true } })
  const { reader } = await stream()
  const seen: Block[] = []
  while (seen.length < count) {
    await clockControl.advance(1000)
    // The next step is put down after the turn.
    await new Promise(setImmediate)
    seen.push(...reader.blocks.filter(({ event }) => event === 'DEVICE_EVENT').slice(seen.length))
  }
  return seen.slice(0, count).map(({ data }) => {
    const { deviceId, attribute, value } = (data as { deviceEvent: Seen }).deviceEvent
    return { deviceId, attribute, value }
  })
}

test('SIMULATE: temperatures drift, motion comes and goes, a washer runs its cycle', async () => {
  const seen = await watch('home', 150)
  const valuesOf = (wanted: string) => seen.filter(({ attribute }) => attribute === wanted).map(({ value }) => value)
  expect(new Set(valuesOf('motion'))).toEqual(new Set(['active', 'inactive']))
  for (const value of valuesOf('temperature')) {
    expect(value).toBeGreaterThan(10)
    expect(value).toBeLessThan(30)
  }
  const phases = valuesOf('washerJobState')
  expect(phases.slice(0, 3)).toEqual(['wash', 'rinse', 'spin'])
})

test('SIMULATE: one seed gives one life, another seed another', async () => {
  const first = await watch('one', 25)
  expect(await watch('one', 25)).toEqual(first)
  expect(await watch('two', 25)).not.toEqual(first)
})

test('SIMULATE: a clock moved by a year is there at once', async () => {
  const { stream, clockControl } = await startEvents({ events: { simulate: true } })
  const { reader, registrationUrl } = await stream()
  expect(registrationUrl).toContain('/filters/')
  await clockControl.advance(365 * 24 * 60 * 60 * 1000)
  expect((await reader.next())?.event).toBe('DEVICE_EVENT')
})

test('nothing moves by itself unless SIMULATE is on', async () => {
  const { stream, clockControl } = await startEvents()
  const { reader } = await stream()
  await clockControl.advance(60_000)
  await new Promise(setImmediate)
  expect(reader.blocks).toHaveLength(1)
})
