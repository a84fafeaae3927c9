import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { ALL, LIGHT, startEvents, THERMOSTAT } from '../../helpers/documents/events.ts'

type App = ReturnType<typeof buildTestApp>['app']
const post = (app: App, path: string, payload: object) =>
  app.inject({ method: 'POST', url: `/_control/${path}`, payload })

test('a device event changes the device and reaches its subscribers and the journal', async () => {
  const { app, stream, store } = await startEvents()
  const { reader, subscriptionId } = await stream(ALL)
  const change = { capability: 'switch', attribute: 'switch', value: 'on' }
  const reply = await post(app, `devices/${LIGHT}/events`, change)
  expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ deviceId: LIGHT, value: 'on' })])
  expect(await reader.next()).toMatchObject({ event: 'DEVICE_EVENT', data: { deviceEvent: { value: 'on' } } })
  expect((await store.devices.get(LIGHT))?.components['main']?.['switch']?.['switch']).toMatchObject({ value: 'on' })
  const match = { match: { operation: 'stream' }, atLeast: 1, withinMs: 20_000 }
  const { matched, entries } = (await post(app, 'journal/verify', match)).json()
  expect(matched).toBe(true)
  expect(entries[0]).toMatchObject({ kind: 'frame', frame: { subscriptionId, event: 'DEVICE_EVENT' } })
})

test.each([null, '', false, 0, { hue: null }, []])('a device event keeps the type of its value %j', async (value) => {
  const { app } = buildTestApp()
  const reply = await post(app, `devices/${LIGHT}/events`, { capability: 'c', attribute: 'a', value, force: true })
  expect([reply.statusCode, reply.json().value]).toEqual([200, value])
})

test('a device event with data: null is accepted and returned with data: null', async () => {
  const { app } = buildTestApp()
  const event = { capability: 'c', attribute: 'a', value: 1, data: null, force: true }
  expect((await post(app, `devices/${LIGHT}/events`, event)).json()).toMatchObject({ value: 1, data: null })
})

test('health and lifecycle events change the device and are returned in the response', async () => {
  const { app, store } = buildTestApp()
  expect((await post(app, `devices/${LIGHT}/health`, { status: 'OFFLINE' })).json()).toMatchObject({
    status: 'OFFLINE',
  })
  expect((await store.devices.get(LIGHT))?.status).toBe('OFFLINE')
  const nowhere = await post(app, `devices/${LIGHT}/lifecycle`, { lifecycle: 'ROOM_MOVE' })
  expect(nowhere.json().error.message).toContain('body.roomIdTo is required for ROOM_MOVE')
  const move = await post(app, `devices/${LIGHT}/lifecycle`, { lifecycle: 'ROOM_MOVE', roomIdTo: 'attic' })
  expect(move.json()).toMatchObject({ lifecycle: 'ROOM_MOVE', roomMove: { roomIdTo: 'attic' } })
})

test('a device can be given by its name if no other device has this name', async () => {
  const { app, store } = buildTestApp()
  const report = () => post(app, 'devices/Living%20room%20light/health', { status: 'OFFLINE' })
  expect((await report()).json()).toMatchObject({ deviceId: LIGHT, status: 'OFFLINE' })
  const change = { capability: 'switch', attribute: 'switch', value: 'on' }
  expect((await post(app, 'devices/Living%20room%20light/events', change)).json().deviceId).toBe(LIGHT)
  const [light, thermostat] = [await store.devices.get(LIGHT), await store.devices.get(THERMOSTAT)]
  await store.transaction((tx) => tx.devices.put({ ...thermostat!, name: light!.name }))
  expect((await report()).json().error.message).toMatch(
    /^device Living room light is not unique; try Living room light \(\S+1\), Living room light \(\S+3\)$/,
  )
})

test('an event for an unknown device returns 404, and an invalid event returns 400', async () => {
  const { app } = buildTestApp()
  const event = { capability: 'c', attribute: 'a', value: 1 }
  expect((await post(app, 'devices/nothing/events', event)).statusCode).toBe(404)
  expect((await post(app, 'devices/nothing/health', { status: 'ONLINE' })).statusCode).toBe(404)
  expect((await post(app, 'devices/nothing/lifecycle', { lifecycle: 'UPDATE' })).statusCode).toBe(404)
  expect((await post(app, `devices/${LIGHT}/events`, {})).statusCode).toBe(400)
  expect((await post(app, `devices/${LIGHT}/health`, { status: 'TIRED' })).statusCode).toBe(400)
  expect((await post(app, `devices/${LIGHT}/lifecycle`, {})).statusCode).toBe(400)
})

test('GET /_control/streams lists live streams, and only live streams accept faults', async () => {
  const { app, stream } = await startEvents()
  const { reader, subscriptionId } = await stream(ALL, { name: 'mine' })
  expect((await app.inject('/_control/streams')).json()).toMatchObject({
    items: [{ subscriptionId, name: 'mine' }],
    totalCount: 1,
  })
  expect((await app.inject('/_control/status')).json().liveStreams).toBe(1)
  expect((await post(app, `streams/${subscriptionId}/chaos`, { action: 'explode' })).statusCode).toBe(400)
  expect((await post(app, 'streams/nothing/chaos', { action: 'drop' })).statusCode).toBe(404)
  expect((await post(app, `streams/${subscriptionId}/chaos`, { action: 'goodbye' })).statusCode).toBe(204)
  expect(await reader.next()).toMatchObject({ data: 'goodbye' })
  expect(await reader.ended).toBe('end')
})

test('a token can be issued for any user and is rejected after it is revoked', async () => {
  const { app, call, subscribe } = await startEvents()
  const request = {
    user: 'somebody',
    scopes: ['r:devices:*'],
    locations: ['11111111-0000-4000-8000-000000000001'],
    expiresIn: 60,
  }
  const token = (await post(app, 'tokens', request)).json().accessToken
  const { subscriptionId } = await subscribe([{ type: 'DEVICEIDS', value: [THERMOSTAT] }], { token })
  expect((await call('GET', `/subscriptions/${subscriptionId}`, { token })).status).toBe(200)
  expect((await app.inject({ method: 'DELETE', url: `/_control/tokens/${token}` })).statusCode).toBe(204)
  expect((await call('GET', `/subscriptions/${subscriptionId}`, { token })).status).toBe(401)
  expect((await app.inject({ method: 'DELETE', url: `/_control/tokens/${token}` })).statusCode).toBe(404)
  expect((await post(app, 'tokens', { user: '' })).statusCode).toBe(400)
})

test('resetting the world and restoring a snapshot both end live streams', async () => {
  const { app, stream } = await startEvents()
  const first = await stream(ALL)
  await app.inject({ method: 'POST', url: '/_control/reset' })
  expect(await first.reader.ended).toBe('end')
  const second = await stream(ALL)
  const { payload } = await app.inject('/_control/snapshot')
  await app.inject({ method: 'PUT', url: '/_control/snapshot', payload })
  expect(await second.reader.ended).toBe('end')
})
