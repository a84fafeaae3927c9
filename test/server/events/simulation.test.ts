import { expect, test } from 'vitest'
import { startEvents } from '../../helpers/documents/events.ts'
import type { Block } from '../../helpers/documents/stream-reader.ts'

interface Seen {
  deviceId: string
  attribute: string
  value: unknown
}

async function watch(seed: string, count: number): Promise<Seen[]> {
  const { stream, clockControl } = await startEvents({ seed, events: { simulate: true } })
  const { reader } = await stream()
  const seen: Block[] = []
  while (seen.length < count) {
    await clockControl.advance(1000)
    // The next step is scheduled only in the next event-loop tick.
    await new Promise(setImmediate)
    seen.push(...reader.blocks.filter(({ event }) => event === 'DEVICE_EVENT').slice(seen.length))
  }
  return seen.slice(0, count).map(({ data }) => {
    const { deviceId, attribute, value } = (data as { deviceEvent: Seen }).deviceEvent
    return { deviceId, attribute, value }
  })
}

test('with SIMULATE, temperatures drift, motion starts and stops, and a washer runs its cycle', async () => {
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

test('with SIMULATE, the same seed gives the same values, and another seed gives other values', async () => {
  const first = await watch('one', 25)
  expect(await watch('one', 25)).toEqual(first)
  expect(await watch('two', 25)).not.toEqual(first)
})

test('with SIMULATE, advancing the clock by a year completes and sends events', async () => {
  const { stream, clockControl } = await startEvents({ events: { simulate: true } })
  const { reader, registrationUrl } = await stream()
  expect(registrationUrl).toContain('/filters/')
  await clockControl.advance(365 * 24 * 60 * 60 * 1000)
  expect((await reader.next())?.event).toBe('DEVICE_EVENT')
})

test('without SIMULATE, no value changes by itself', async () => {
  const { stream, clockControl } = await startEvents()
  const { reader } = await stream()
  await clockControl.advance(60_000)
  await new Promise(setImmediate)
  expect(reader.blocks).toHaveLength(1)
})
