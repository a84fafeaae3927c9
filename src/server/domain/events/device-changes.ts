import type { Ports } from '#server/ports.ts'
import type { PlatformEvent } from '#server/ports/bus.ts'
import type { Transaction, View } from '#server/ports/store.ts'
import type { Device } from '#contract/records/events/device.ts'
import type { EventEnvelope } from '#contract/records/events/platform-event.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import { type DomainError, notFound } from '../errors.ts'

interface Change<R> {
  device: Device
  envelope: EventEnvelope
  reply: R
}

/** Runs before the change and is committed with it; nothing changes when it throws. */
export type InSameTransaction = (tx: Transaction) => Promise<void>

/** The event is committed with the change, so events of a device go out in the order of its changes. */
export function changeDevice<R>(
  ports: Ports,
  deviceId: string,
  change: (device: Device) => Change<R>,
  first?: InSameTransaction,
): Promise<R> {
  return ports.store.transaction(async (tx) => {
    await first?.(tx)
    const device = await tx.devices.get(deviceId)
    if (!device) throw await noSuchDevice(tx, deviceId)
    const changed = change(device)
    if (changed.device !== device) await tx.devices.put(changed.device)
    const event = await toPlatformEvent(tx, device, changed.envelope)
    tx.emit({ event: ports.cause ? { ...event, cause: ports.cause } : event })
    return changed.reply
  })
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
