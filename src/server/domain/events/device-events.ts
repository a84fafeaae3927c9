import type { Ports } from '#server/ports.ts'
import type { Device } from '#contract/records/events/device.ts'
import type { DeviceChange, HealthChange, LifecycleChange } from '#contract/records/events/device-change.ts'
import type { DeviceEvent } from '#contract/records/events/platform-event.ts'
import { invalidInput } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { findUnknownChange } from './known-changes.ts'
import { changeDevice, type InSameTransaction, noSuchDevice } from './device-changes.ts'
import { attributeOf, withAttribute, typeOf, isSame } from './device-attributes.ts'

/** Document 2, section 4, stream rule 3: an attribute changes, and whoever subscribed learns of it. */
export async function emitDeviceEvent(
  ports: Ports,
  deviceId: string,
  change: DeviceChange,
  first?: InSameTransaction,
): Promise<DeviceEvent> {
  const { component: componentId = 'main', capability, attribute, unit, data } = change
  const value = change.value ?? null
  const [eventId, commandId] = [await newUuid(ports.random, 'event'), await newUuid(ports.random, 'command')]
  const now = ports.clock.now()
  return changeDevice(
    ports,
    deviceId,
    (device) => {
      const before = attributeOf(device, componentId, capability, attribute)
      const { locationId } = device
      // Written out, because an object that begins with a spread gets a hidden class of its own on Node 20, for each
      // event.
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
    },
    first,
  )
}

/** A misspelt change is refused first. */
export async function reportChange(ports: Ports, deviceId: string, change: DeviceChange): Promise<DeviceEvent> {
  const device = await ports.store.devices.get(deviceId)
  if (!device) throw await noSuchDevice(ports.store, deviceId)
  const findings = findUnknownChange(device, change, 'body')
  if (findings.length > 0) throw invalidInput(findings)
  return emitDeviceEvent(ports, deviceId, change)
}

/** Our choice: document 2 shows no event of a device's health. */
export async function reportHealth(
  ports: Ports,
  deviceId: string,
  { status, reason }: HealthChange,
  first?: InSameTransaction,
) {
  const eventId = await newUuid(ports.random, 'event')
  const eventTime = ports.clock.now()
  return changeDevice(
    ports,
    deviceId,
    (device) => {
      const hubId = device.hubId ?? null
      const deviceHealthEvent = { ...originOf(device, eventId), hubId, status, reason: reason ?? 'NONE' }
      return {
        device: { ...device, status },
        envelope: { eventTime, eventType: 'DEVICE_HEALTH_EVENT', deviceHealthEvent },
        reply: deviceHealthEvent,
      }
    },
    first,
  )
}

/** Our choice. A move changes the device's room; the other kinds are told and leave the record as it is. */
export async function changeLifecycle(
  ports: Ports,
  deviceId: string,
  { lifecycle, roomIdTo }: LifecycleChange,
  first?: InSameTransaction,
) {
  const eventId = await newUuid(ports.random, 'event')
  const eventTime = ports.clock.now()
  return changeDevice(
    ports,
    deviceId,
    (device) => {
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
    },
    first,
  )
}

function originOf({ locationId, deviceId }: Device, eventId: string) {
  return { eventId, locationId, ownerId: locationId, ownerType: 'LOCATION' as const, deviceId }
}
