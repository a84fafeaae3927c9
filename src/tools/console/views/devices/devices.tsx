import { useRecords } from '#tools/console/live.ts'
import { Empty, Loading, Refusal } from '#tools/console/parts/basics.tsx'
import { count } from '#tools/console/text.ts'
import type { Device } from '#contract/records/events/device.ts'
import type { Location } from '#contract/records/events/location.ts'
import { DeviceCard } from './device-card.tsx'
import { Received } from './streams.tsx'

export function Devices() {
  const locations = useRecords('locations')
  const devices = useRecords('devices')
  const known = devices.data?.items ?? []
  // All homes appear at once, since one that fills later would push the others down.
  const homes = devices.data ? (locations.data?.items ?? []) : []
  return (
    <section>
      <h1>Devices</h1>
      <div class="columns">
        <div>
          <Refusal error={locations.error ?? devices.error} />
          {locations.data && devices.data ? null : <Loading />}
          {locations.data && homes.length === 0 && devices.data ? <Empty title="This world has no homes." /> : null}
          {homes.map((location) => (
            <Home
              key={location.locationId}
              location={location}
              devices={known.filter(({ locationId }) => locationId === location.locationId)}
            />
          ))}
          {devices.data && devices.data.totalCount > known.length ? (
            <p class="hint">This page shows the first {known.length} devices. Data lists all of them.</p>
          ) : null}
        </div>
        <Received />
      </div>
    </section>
  )
}

function Home({ location: { name, rooms, locationId }, devices }: { location: Location; devices: Device[] }) {
  const roomOf = ({ roomId }: Device) => rooms.find((room) => room.roomId === roomId)?.name
  return (
    <section aria-label={name}>
      <h2>
        {name} <small>{count(devices.length, 'device')}</small>
      </h2>
      <p class="hint mono">{locationId}</p>
      {devices.length === 0 ? <Empty title="No devices in this home." /> : null}
      <div class="cards">
        {devices.map((device) => (
          <DeviceCard key={device.deviceId} device={device} room={roomOf(device)} />
        ))}
      </div>
    </section>
  )
}
