import type { Ports } from '../../ports.ts'
import type { PlatformEvent } from '../../ports/bus.ts'
import type { View } from '../../ports/store.ts'
import type { AttributeState, Device } from '../../../contract/records/events/device.ts'
import type { DeviceChange, HealthChange, LifecycleChange } from '../../../contract/records/events/device-change.ts'
import type { DeviceEvent, EventEnvelope } from '../../../contract/records/events/platform-event.ts'
import { sayNearest } from '../../../contract/records/nearest.ts'
import { type DomainError, invalidInput, notFound } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { findUnknownChange, own } from './known-changes.ts'

/** Document 2, section 4, stream rule 3: an attribute changes, and whoever subscribed learns of it. */
export async function emitDeviceEvent(ports: Ports, deviceId: string, change: DeviceChange): Promise<DeviceEvent> {
  const { component: componentId = 'main', capability, attribute, unit, data } = change
  const value = change.value ?? null
  const [eventId, commandId] = [await newUuid(ports.random, 'event'), await newUuid(ports.random, 'command')]
  const now = ports.clock.now()
  return changeDevice(ports, deviceId, (device) => {
    const before = attributeOf(device, componentId, capability, attribute)
    const { locationId } = device
    // Written out: an object that begins with a spread one gets a hidden class of its own on Node 20, for each event.
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
    const state = { value, unit: unit ?? before?.unit, updatedAt: new Date(now).toISOString() }
    return {
      device: withAttribute(device, [componentId, capability, attribute], state),
      envelope: { eventTime: now, eventType: 'DEVICE_EVENT', deviceEvent },
      reply: deviceEvent,
    }
  })
}

/** The same, once it is sure that nobody has mistyped what changes. */
export async function reportChange(ports: Ports, deviceId: string, change: DeviceChange): Promise<DeviceEvent> {
  const device = await ports.store.devices.get(deviceId)
  if (!device) throw await noSuchDevice(ports.store, deviceId)
  const findings = findUnknownChange(device, change, 'body')
  if (findings.length > 0) throw invalidInput(findings)
  return emitDeviceEvent(ports, deviceId, change)
}

/** Our choice. */
export async function reportHealth(ports: Ports, deviceId: string, { status, reason }: HealthChange) {
  const eventId = await newUuid(ports.random, 'event')
  const eventTime = ports.clock.now()
  return changeDevice(ports, deviceId, (device) => {
    const hubId = device.hubId ?? null
    const deviceHealthEvent = { ...originOf(device, eventId), hubId, status, reason: reason ?? 'NONE' }
    return {
      device: { ...device, status },
      envelope: { eventTime, eventType: 'DEVICE_HEALTH_EVENT', deviceHealthEvent },
      reply: deviceHealthEvent,
    }
  })
}

/** Our choice. A move changes the device's room; the other kinds are told and leave the record as it is. */
export async function changeLifecycle(ports: Ports, deviceId: string, { lifecycle, roomIdTo }: LifecycleChange) {
  const eventId = await newUuid(ports.random, 'event')
  const eventTime = ports.clock.now()
  return changeDevice(ports, deviceId, (device) => {
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

interface Change<R> {
  device: Device
  envelope: EventEnvelope
  reply: R
}

/**
 * Changes the record, and publishes what happened right after: events of a device go out in the order of its changes.
 * No device changes that nobody could be told of.
 */
async function changeDevice<R>(ports: Ports, deviceId: string, change: (device: Device) => Change<R>): Promise<R> {
  await ports.bus.ping()
  const { event, reply } = await ports.store.transaction(async (tx) => {
    const device = await tx.devices.get(deviceId)
    if (!device) throw await noSuchDevice(tx, deviceId)
    const changed = change(device)
    if (changed.device !== device) await tx.devices.put(changed.device)
    return { event: await toPlatformEvent(tx, device, changed.envelope), reply: changed.reply }
  })
  await ports.bus.publish(ports.cause ? { ...event, cause: ports.cause } : event)
  return reply
}

async function noSuchDevice({ devices }: View, deviceId: string): Promise<DomainError> {
  const known = (await devices.find({ limit: 100 })).map((device) => device.deviceId)
  return notFound(
    `there is no device ${deviceId.slice(0, 100)}${sayNearest(deviceId, known)}`,
    'our choice: emitted-events',
  )
}

async function toPlatformEvent(view: View, device: Device, envelope: EventEnvelope): Promise<PlatformEvent> {
  const { deviceId, locationId } = device
  const apps = (await view.installedApps.find({ where: { locationId } })).filter((app) =>
    app.deviceIds.includes(deviceId),
  )
  return {
    envelope,
    deviceId,
    locationId,
    installedAppIds: apps.map(({ installedAppId }) => installedAppId),
    appIds: [...new Set(apps.map(({ appId }) => appId))],
  }
}

function originOf({ locationId, deviceId }: Device, eventId: string) {
  return { eventId, locationId, ownerId: locationId, ownerType: 'LOCATION' as const, deviceId }
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

/** Two JSON values are the same; the order of an object's fields says nothing. */
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
