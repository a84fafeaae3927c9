import type { PlatformEvent } from '#server/ports/bus.ts'
import type { EventType } from '#contract/records/events/platform-event.ts'
import type { Subscription, SubscriptionFilter } from '#contract/records/events/subscription.ts'

/** A filter without conditions matches all device events. */
type Condition = Omit<SubscriptionFilter, 'type' | 'value'> | undefined

/** Indexed so that the cost of an event depends only on the number of matching subscribers. */
export class InterestIndex<T> {
  readonly #entries = new Map<string, Entry<T>[]>()
  readonly #members = new Map<T, Member<T>>()
  #turn = 0

  add(item: T, subscription: Subscription): void {
    this.remove(item)
    const member = { item, locations: subscription.locations, keys: [] as string[], turn: 0 }
    this.#members.set(item, member)
    for (const { key, condition } of interestsOf(subscription)) {
      const bucket = this.#entries.get(key)
      if (bucket) bucket.push({ member, condition })
      else this.#entries.set(key, [{ member, condition }])
      member.keys.push(key)
    }
  }

  remove(item: T): boolean {
    const member = this.#members.get(item)
    if (!member) return false
    this.#members.delete(item)
    for (const key of new Set(member.keys)) {
      const bucket = this.#entries.get(key)!
      // The order of the entries does not matter, so the last entry takes the position of the removed entry.
      for (let i = bucket.length - 1; i >= 0; i--) if (bucket[i]!.member === member) swapOut(bucket, i)
      if (bucket.length === 0) this.#entries.delete(key)
    }
    return true
  }

  /** Returns each subscriber at most once, even if several of its filters match. */
  find(event: PlatformEvent): T[] {
    const found: T[] = []
    const turn = ++this.#turn
    for (const key of keysOf(event)) {
      for (const { member, condition } of this.#entries.get(key) ?? []) {
        if (member.turn === turn || !meets(event, condition) || !member.locations.includes(event.locationId)) continue
        member.turn = turn
        found.push(member.item)
      }
    }
    return found
  }
}

export function createMatcher(subscription: Subscription): (event: PlatformEvent) => boolean {
  const index = new InterestIndex<true>()
  index.add(true, subscription)
  return (event) => index.find(event).length > 0
}

interface Member<T> {
  item: T
  locations: readonly string[]
  keys: string[]
  turn: number
}

interface Entry<T> {
  member: Member<T>
  condition: Condition
}

function swapOut<E>(list: E[], i: number): void {
  const last = list.pop()!
  if (i < list.length) list[i] = last
}

function keysOf({ locationId, deviceId, installedAppIds, appIds }: PlatformEvent): string[] {
  const keys = [`LOCATIONIDS ${locationId}`, `DEVICEIDS ${deviceId}`]
  for (const id of installedAppIds) keys.push(`INSTALLEDSMARTAPPIDS ${id}`)
  for (const id of appIds) keys.push(`SMARTAPPIDS ${id}`)
  return keys
}

function interestsOf({ subscriptionFilters, locations }: Subscription): { key: string; condition: Condition }[] {
  return subscriptionFilters.flatMap((filter) => {
    const { type, value, ...rest } = filter
    const condition = Object.values(rest).some((each) => each !== undefined) ? filter : undefined
    const ids = type === 'LOCATIONIDS' && value[0] === 'ALL' ? locations : value
    return [...new Set(ids)].map((id) => ({ key: `${type} ${id}`, condition }))
  })
}

function meets({ envelope }: PlatformEvent, condition: Condition): boolean {
  if (!condition) return envelope.eventType === 'DEVICE_EVENT'
  if (!wantsType(condition.eventType, envelope.eventType)) return false
  if (envelope.eventType !== 'DEVICE_EVENT') return true
  const { capability, attribute, componentId } = envelope.deviceEvent
  return (
    wants(condition.capability, capability) &&
    wants(condition.attribute, attribute) &&
    wants(condition.component, componentId)
  )
}

function wantsType(types: readonly string[] | undefined, type: EventType): boolean {
  return types === undefined || types.length === 0 ? type === 'DEVICE_EVENT' : types.includes(type)
}

/** `*` matches any value, because real clients send it for this purpose. */
function wants(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted === '*' || wanted === value
}
