import { expect, test } from 'vitest'
import { changeLifecycle, emitDeviceEvent, reportHealth } from '../../../src/server/domain/events/device-events.ts'
import type { SubscriptionFilter } from '../../../src/contract/records/events/subscription.ts'
import {
  ALL,
  CABIN,
  CONTACT,
  HOME,
  LIGHT,
  LIGHTS_AT_HOME,
  MOTION,
  startEvents,
  STUDIO_LIGHT,
  THERMOSTAT,
} from '../../helpers/documents/events.ts'
import { valueIn } from '../../helpers/documents/stream-reader.ts'

const filter = (type: SubscriptionFilter['type'], ...value: string[]): SubscriptionFilter => ({ type, value })

test.each([
  ['all locations', [filter('LOCATIONIDS', 'ALL')], ['light', 'motion', 'thermostat', 'contact', 'end']],
  ['one location', [filter('LOCATIONIDS', HOME)], ['light', 'motion', 'thermostat', 'end']],
  [
    'the other location and a device',
    [filter('LOCATIONIDS', CABIN), filter('DEVICEIDS', LIGHT)],
    ['light', 'contact', 'end'],
  ],
  ['devices', [filter('DEVICEIDS', LIGHT, CONTACT)], ['light', 'contact', 'end']],
  ['an installed app', [filter('INSTALLEDSMARTAPPIDS', LIGHTS_AT_HOME)], ['light', 'motion', 'end']],
  ['an app', [filter('SMARTAPPIDS', 'app-lights')], ['light', 'motion', 'end']],
  [
    'an app that is also installed elsewhere, and a device',
    [filter('SMARTAPPIDS', 'app-climate'), filter('DEVICEIDS', LIGHT)],
    ['light', 'thermostat', 'end'],
  ],
])('a stream receives only the events of its filters: %s', async (_, filters, expected) => {
  const { stream, emit } = await startEvents()
  const { reader } = await stream(filters)
  await emit(STUDIO_LIGHT, 'elsewhere')
  await emit('bbbbbbbb-0000-4000-8000-000000000002', 'elsewhere')
  for (const [device, value] of [
    [LIGHT, 'light'],
    [MOTION, 'motion'],
    [THERMOSTAT, 'thermostat'],
    [CONTACT, 'contact'],
    [LIGHT, 'end'],
  ]) {
    await emit(device!, value)
  }
  expect((await reader.take(expected.length)).map(valueIn)).toEqual(expected)
})

test('an event that matches several filters is sent only once', async () => {
  const { stream, emit } = await startEvents()
  const filters = [
    ...ALL,
    filter('LOCATIONIDS', HOME, HOME),
    filter('DEVICEIDS', LIGHT),
    filter('SMARTAPPIDS', 'app-lights'),
  ]
  const { reader } = await stream(filters)
  await emit(LIGHT, 'first')
  await emit(LIGHT, 'second')
  expect((await reader.take(2)).map(valueIn)).toEqual(['first', 'second'])
})

test('capability, attribute and component restrict a filter, and * matches any value', async () => {
  const { stream, emit } = await startEvents()
  const { reader } = await stream([
    { type: 'LOCATIONIDS', value: ['ALL'], capability: 'lock', attribute: 'lock', component: '*' },
    { type: 'DEVICEIDS', value: [LIGHT], component: 'second' },
  ])
  await emit(LIGHT, 'no')
  await emit(MOTION, 'no', { capability: 'lock', attribute: 'codes' })
  await emit(MOTION, 'lock', { capability: 'lock', attribute: 'lock', component: 'rear' })
  await emit(LIGHT, 'second', { component: 'second' })
  expect((await reader.take(2)).map(valueIn)).toEqual(['lock', 'second'])
})

test('health and lifecycle events are sent with all fields to streams whose filters include them', async () => {
  const { stream, emit, ports } = await startEvents()
  const eventType = ['DEVICE_HEALTH_EVENT', 'DEVICE_LIFECYCLE_EVENT']
  const { reader } = await stream([{ type: 'DEVICEIDS', value: [LIGHT], eventType, capability: 'switch' }])
  await emit(LIGHT, 'on')
  await reportHealth(ports, LIGHT, { status: 'OFFLINE' })
  await changeLifecycle(ports, LIGHT, { lifecycle: 'ROOM_MOVE', roomIdTo: 'room-hall' })
  for (const lifecycle of ['CREATE', 'UPDATE', 'DELETE'] as const) await changeLifecycle(ports, LIGHT, { lifecycle })
  const origin = {
    eventId: expect.any(String),
    locationId: HOME,
    ownerId: HOME,
    ownerType: 'LOCATION',
    deviceId: LIGHT,
  }
  const blocks = await reader.take(5)
  expect(blocks.map(({ event }) => event)).toEqual(['DEVICE_HEALTH_EVENT', ...Array(4).fill('DEVICE_LIFECYCLE_EVENT')])
  const eventTime = expect.any(Number)
  const named = (lifecycle: string, rest: object) => ({
    lifecycle,
    ...origin,
    deviceName: 'Living room light',
    ...rest,
  })
  expect(blocks.map(({ data }) => data)).toEqual([
    {
      eventTime,
      eventType: 'DEVICE_HEALTH_EVENT',
      deviceHealthEvent: { ...origin, hubId: 'hub-home', status: 'OFFLINE', reason: 'NONE' },
    },
    ...[
      named('ROOM_MOVE', { roomMove: { roomIdFrom: 'room-living', roomIdTo: 'room-hall' } }),
      named('CREATE', { create: {} }),
      named('UPDATE', { update: {} }),
      named('DELETE', { delete: {} }),
    ].map((deviceLifecycleEvent) => ({ eventTime, eventType: 'DEVICE_LIFECYCLE_EVENT', deviceLifecycleEvent })),
  ])
  expect(await ports.store.devices.get(LIGHT)).toMatchObject({ status: 'OFFLINE', roomId: 'room-hall' })
})

test('updating a subscription changes the events of its live stream without a reconnect', async () => {
  const { stream, emit, call } = await startEvents()
  const { reader, subscriptionId } = await stream([filter('DEVICEIDS', LIGHT)])
  await emit(LIGHT, 'before')
  const body = { subscriptionFilters: [filter('DEVICEIDS', MOTION)] }
  expect((await call('PUT', `/subscriptions/${subscriptionId}`, { body })).status).toBe(200)
  await emit(LIGHT, 'lost interest')
  await emit(MOTION, 'after')
  expect((await reader.take(2)).map(valueIn)).toEqual(['before', 'after'])
})

test('a device event stores the new device state and reports whether the state changed', async () => {
  const { ports } = await startEvents()
  const report = (value: unknown) => emitDeviceEvent(ports, LIGHT, { capability: 'switch', attribute: 'switch', value })
  const changes = []
  for (const value of ['off', 'on', 'on', { a: 1, b: [2] }, { b: [2], a: 1 }, { b: [3], a: 1 }, null, null]) {
    const { stateChange, valueType } = await report(value)
    changes.push([stateChange, valueType])
  }
  expect(changes).toEqual([
    [false, 'string'],
    [true, 'string'],
    [false, 'string'],
    [true, 'object'],
    [false, 'object'],
    [true, 'object'],
    [true, 'null'],
    [false, 'null'],
  ])
  await emitDeviceEvent(ports, LIGHT, {
    component: 'toString',
    capability: 'valueOf',
    attribute: 'hasOwnProperty',
    value: 1.5,
    unit: 'C',
  })
  const { components } = (await ports.store.devices.get(LIGHT))!
  expect(components['main']?.['switch']?.['switch']).toEqual({ value: null, updatedAt: '2026-05-06T16:00:00.000Z' })
  expect(components['toString']?.['valueOf']?.['hasOwnProperty']).toMatchObject({ value: 1.5, unit: 'C' })
  await expect(report(undefined)).resolves.toMatchObject({ value: null })
  await expect(emitDeviceEvent(ports, 'nobody', { capability: 'a', attribute: 'b', value: 1 })).rejects.toMatchObject({
    code: 'not-found',
  })
})
