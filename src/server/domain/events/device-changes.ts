import type { Ports } from '../../ports.ts'
import type { PlatformEvent } from '../../ports/bus.ts'
import type { View } from '../../ports/store.ts'
import type { Device } from '../../../contract/records/events/device.ts'
import type { EventEnvelope } from '../../../contract/records/events/platform-event.ts'
import { sayNearest } from '../../../contract/records/nearest.ts'
import { type DomainError, notFound } from '../errors.ts'

interface Change<R> {
  device: Device
  envelope: EventEnvelope
  reply: R
}

/** Events of a device go out in the order of its changes. A change that nobody could be told of is not made. */
export async function changeDevice<R>(
  ports: Ports,
  deviceId: string,
  change: (device: Device) => Change<R>,
): Promise<R> {
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

export async function noSuchDevice({ devices }: View, deviceId: string): Promise<DomainError> {
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
