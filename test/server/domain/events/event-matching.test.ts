import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMatcher, InterestIndex } from '../../../../src/server/domain/events/event-matching.ts'
import type { PlatformEvent } from '../../../../src/server/ports/bus.ts'
import type { Subscription, SubscriptionFilter } from '../../../../src/contract/records/events/subscription.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const name = fc.constantFrom('switch', 'lock', 'main')
const narrowing = fc.option(fc.oneof(name, fc.constant('*')), { nil: undefined })
const filter = fc.record({
  type: fc.constantFrom('SMARTAPPIDS', 'LOCATIONIDS', 'INSTALLEDSMARTAPPIDS', 'DEVICEIDS'),
  value: fc.oneof(fc.array(id, { minLength: 1 }), fc.constant(['ALL'])),
  eventType: fc.option(fc.array(fc.constantFrom('DEVICE_EVENT', 'DEVICE_HEALTH_EVENT', 'OTHER')), { nil: undefined }),
  capability: narrowing,
  attribute: narrowing,
  component: narrowing,
}) as fc.Arbitrary<SubscriptionFilter>
const subscription = fc.record({
  subscriptionFilters: fc.array(filter),
  locations: fc.array(id),
}) as unknown as fc.Arbitrary<Subscription>
const event = fc.record({
  locationId: id,
  deviceId: id,
  installedAppIds: fc.uniqueArray(id),
  appIds: fc.uniqueArray(id),
  envelope: fc.oneof(
    fc.record({
      eventType: fc.constant('DEVICE_EVENT'),
      deviceEvent: fc.record({ capability: name, attribute: name, componentId: name }),
    }),
    fc.constant({ eventType: 'DEVICE_HEALTH_EVENT' }),
  ),
}) as unknown as fc.Arbitrary<PlatformEvent>

/** A second, independent implementation of the filter rules in docs/rules.md. */
function wants({ subscriptionFilters, locations }: Subscription, { envelope, ...event }: PlatformEvent): boolean {
  return (
    locations.includes(event.locationId) &&
    subscriptionFilters.some((each) => {
      const ids = {
        LOCATIONIDS: [event.locationId, 'ALL'],
        DEVICEIDS: [event.deviceId],
        INSTALLEDSMARTAPPIDS: event.installedAppIds,
        SMARTAPPIDS: event.appIds,
      }
      const types = each.eventType?.length ? each.eventType : ['DEVICE_EVENT']
      if (!types.includes(envelope.eventType) || !ids[each.type].some((known) => each.value.includes(known)))
        return false
      if (envelope.eventType !== 'DEVICE_EVENT') return true
      const { capability, attribute, componentId } = envelope.deviceEvent
      const pairs = [
        [each.capability, capability],
        [each.attribute, attribute],
        [each.component, componentId],
      ]
      return pairs.every(([wanted, value]) => wanted === undefined || wanted === '*' || wanted === value)
    })
  )
}

test('the index finds the same subscriptions as a full scan, even after changes', () => {
  const change = fc.record({ at: fc.nat(9), to: fc.option(subscription, { nil: undefined }) })
  fc.assert(
    fc.property(
      fc.array(subscription, { maxLength: 10 }),
      fc.array(change),
      fc.array(event),
      (first, changes, events) => {
        const index = new InterestIndex<number>()
        const held = new Map(first.map((each, i) => [i, each]))
        for (const [i, each] of held) index.add(i, each)
        for (const { at, to } of changes) {
          if (to) held.set(at, to)
          else held.delete(at)
          if (to) index.add(at, to)
          else index.remove(at)
        }
        for (const each of events) {
          const scanned = [...held].filter(([, subscribed]) => wants(subscribed, each)).map(([i]) => i)
          expect(index.find(each).sort()).toEqual(scanned.sort())
        }
      },
    ),
  )
})

test('the matcher for one subscription gives the same results as a full scan', () => {
  fc.assert(
    fc.property(subscription, fc.array(event), (subscribed, events) => {
      const matches = createMatcher(subscribed)
      for (const each of events) expect(matches(each)).toBe(wants(subscribed, each))
    }),
  )
})
