import type { Ports } from '#server/ports.ts'
import type { AttributeState, Device } from '#contract/records/events/device.ts'
import type { DeviceChange, HealthChange, LifecycleChange } from '#contract/records/events/device-change.ts'
import type { DeviceEvent, EventEnvelope } from '#contract/records/events/platform-event.ts'
import { invalidInput, notFound } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { findUnknownChange, own } from './known-changes.ts'
import type { PlatformEvent } from '#server/ports/bus.ts'
import type { Transaction, View } from '#server/ports/store.ts'
import { findNearest, suggestNearest } from '#contract/records/nearest.ts'

/** Document 2, section 4, stream rule 3: changes an attribute of a device and sends the event to subscribers. */
export async function emitDeviceEvent(
  ports: Ports,
  deviceId: string,
  change: DeviceChange,
  first?: InSameTransaction,
): Promise<DeviceEvent> {
  const { component: componentId = 'main', capability, attribute, unit, data } = change
  const value = change.value ?? null
  const commandId = await newUuid(ports.random, 'command')
  return changeDevice(ports, deviceId, first, (device, { eventId, eventTime }) => {
    const before = attributeOf(device, componentId, capability, attribute)
    const { locationId } = device
    // On Node 20, a literal that starts with a spread would get a new hidden class for each event.
    const deviceEvent = {
      eventId,
      locationId,
      ownerId: locationId,
      ownerType: 'LOCATION' as const,
      deviceId: device.deviceId,
      componentId,
      capability,
      attribute,
      value,
      valueType: typeOf(value),
      ...(unit === undefined ? {} : { unit }),
      stateChange: !before || !isSame(before.value, value),
      data: data ?? null,
      commandId,
      sensitive: false,
    }
    const state = { value, unit: unit ?? before?.unit, updatedAt: new Date(eventTime).toISOString() }
    return {
      device: withAttribute(device, [componentId, capability, attribute], state),
      envelope: { eventTime, eventType: 'DEVICE_EVENT', deviceEvent },
      reply: deviceEvent,
    }
  })
}

/** Like `emitDeviceEvent`, but rejects an unknown name before it changes anything. */
export async function reportChange(ports: Ports, deviceId: string, change: DeviceChange): Promise<DeviceEvent> {
  const device = await requireDevice(ports.store, deviceId)
  const findings = findUnknownChange(device, change, 'body')
  if (findings.length > 0) throw invalidInput(findings)
  return emitDeviceEvent(ports, device.deviceId, change)
}

/** Document 2 contains no example of a health event. */
export function reportHealth(
  ports: Ports,
  deviceId: string,
  { status, reason }: HealthChange,
  first?: InSameTransaction,
) {
  return changeDevice(ports, deviceId, first, (device, { eventId, eventTime }) => {
    const hubId = device.hubId ?? null
    const deviceHealthEvent = { ...originOf(device, eventId), hubId, status, reason: reason ?? 'NONE' }
    return {
      device: { ...device, status },
      envelope: { eventTime, eventType: 'DEVICE_HEALTH_EVENT', deviceHealthEvent },
      reply: deviceHealthEvent,
    }
  })
}

/** Document 2 contains no example of a lifecycle event. Only ROOM_MOVE changes the device's record. */
export function changeLifecycle(
  ports: Ports,
  deviceId: string,
  { lifecycle, roomIdTo }: LifecycleChange,
  first?: InSameTransaction,
) {
  return changeDevice(ports, deviceId, first, (device, { eventId, eventTime }) => {
    const moved = lifecycle === 'ROOM_MOVE'
    const deviceLifecycleEvent = {
      lifecycle,
      ...originOf(device, eventId),
      deviceName: device.name,
      ...(lifecycle === 'CREATE' && { create: {} }),
      ...(lifecycle === 'UPDATE' && { update: {} }),
      ...(lifecycle === 'DELETE' && { delete: {} }),
      ...(moved && { roomMove: { roomIdFrom: device.roomId ?? null, roomIdTo: roomIdTo ?? null } }),
    }
    return {
      device: moved ? { ...device, roomId: roomIdTo } : device,
      envelope: { eventTime, eventType: 'DEVICE_LIFECYCLE_EVENT', deviceLifecycleEvent },
      reply: deviceLifecycleEvent,
    }
  })
}

function originOf({ locationId, deviceId }: Device, eventId: string) {
  return { eventId, locationId, ownerId: locationId, ownerType: 'LOCATION' as const, deviceId }
}

interface Change<R> {
  device: Device
  envelope: EventEnvelope
  reply: R
}

/** Runs in the transaction of the change. If it throws, nothing is changed. */
export type InSameTransaction = (tx: Transaction) => Promise<void>

/** Commits the event together with the change, so that a device's events have the same order as its changes. */
async function changeDevice<R>(
  ports: Ports,
  deviceId: string,
  first: InSameTransaction | undefined,
  change: (device: Device, origin: { eventId: string; eventTime: number }) => Change<R>,
): Promise<R> {
  const origin = { eventId: await newUuid(ports.random, 'event'), eventTime: ports.clock.now() }
  return ports.store.transaction(async (tx) => {
    await first?.(tx)
    const device = await requireDevice(tx, deviceId)
    const changed = change(device, origin)
    if (changed.device !== device) await tx.devices.put(changed.device)
    const event = await toPlatformEvent(tx, device, changed.envelope)
    tx.emit({ event: ports.cause ? { ...event, cause: ports.cause } : event })
    return changed.reply
  })
}

async function requireDevice(view: View, given: string): Promise<Device> {
  const found = await findDevice(view, given)
  if (typeof found !== 'string') return found
  throw notFound(`device ${found}`, 'our choice: emitted-events')
}

/** Accepts the ID or a unique name. Otherwise, returns why not. Names are searched in the first 100 devices. */
export async function findDevice({ devices }: View, given: string): Promise<Device | string> {
  const device = await devices.get(given)
  if (device) return device
  const known = await devices.find({ limit: 100 })
  const [same, ...others] = known.filter(({ name }) => name === given)
  if (same && others.length === 0) return same
  const describe = (device: Device) => `${device.name} (${device.deviceId})`
  const named = known.filter(({ name }) => name.toLowerCase().includes(given.toLowerCase()))
  const nearest = findNearest(
    given,
    known.flatMap((device) => [device.deviceId, device.name]),
  )
  const found = known.find((device) => device.deviceId === nearest || device.name === nearest)
  const isUnknown = same === undefined
  const hint =
    found && isUnknown
      ? `; the nearest is ${describe(found)}`
      : suggestNearest('', (named.length > 0 ? named : known).map(describe))
  return `${given.slice(0, 100)} ${isUnknown ? 'does not exist' : 'is not unique'}${hint}`
}

async function toPlatformEvent(view: View, device: Device, envelope: EventEnvelope): Promise<PlatformEvent> {
  const { deviceId, locationId } = device
  const located = await view.installedApps.find({ where: { locationId } })
  const apps = located.filter((app) => app.deviceIds.includes(deviceId))
  return {
    envelope,
    deviceId,
    locationId,
    installedAppIds: apps.map(({ installedAppId }) => installedAppId),
    appIds: [...new Set(apps.map(({ appId }) => appId))],
  }
}

function attributeOf({ components }: Device, component: string, capability: string, attribute: string) {
  const capabilities = own(components, component)
  const attributes = capabilities && own(capabilities, capability)
  return attributes && own(attributes, attribute)
}

function withAttribute(
  device: Device,
  [component, capability, attribute]: [string, string, string],
  state: AttributeState,
): Device {
  const capabilities = own(device.components, component) ?? {}
  const attributes = { ...own(capabilities, capability), [attribute]: state }
  return { ...device, components: { ...device.components, [component]: { ...capabilities, [capability]: attributes } } }
}

function typeOf(value: unknown): DeviceEvent['valueType'] {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object')
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  )
}
