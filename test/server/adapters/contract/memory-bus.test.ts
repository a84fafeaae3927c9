import { expect, test } from 'vitest'
import { EventLog } from '../../../../src/server/adapters/memory/event-log.ts'
import { createMemoryBus } from '../../../../src/server/adapters/memory/bus.ts'
import type { PublishedEvent } from '../../../../src/server/ports/bus.ts'
import { describeBus } from './bus.contract.ts'

describeBus(async () => {
  const bus = createMemoryBus(Date.parse('2026-05-06T16:00:00Z'))
  return { one: bus, other: bus, close: () => bus.close() }
})

const sized = (sequence: number, size: number) => ({ sequence, deviceId: 'x'.repeat(size) }) as PublishedEvent

test('a log keeps 50,000 events, and 32 MiB of large ones', () => {
  const many = new EventLog(0)
  for (let i = 1; i <= 120_000; i++) many.append(sized(i, 1))
  expect(many.after(69_999)).toMatchObject({ complete: false })
  expect(many.after(70_000).complete).toBe(true)
  expect(many.after(119_998).events.map(({ sequence }) => sequence)).toEqual([119_999, 120_000])

  const large = new EventLog(0)
  for (let i = 1; i <= 1000; i++) large.append(sized(i, 65_536))
  const { events } = large.after(0)
  expect(events.length).toBeGreaterThan(500)
  expect(events.length).toBeLessThanOrEqual(512)
  expect(events.at(-1)?.sequence).toBe(1000)
})
