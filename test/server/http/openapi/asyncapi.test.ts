import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { changeLifecycle, reportHealth } from '../../../../src/server/domain/events/device-events.ts'
import { streamMessages } from '../../../../src/server/http/openapi/stream-messages.ts'
import { LIGHT, startEvents } from '../../../helpers/documents/events.ts'
import type { Block } from '../../../helpers/documents/stream-reader.ts'

interface Described {
  components: { messages: Record<string, { payload: { enum?: string[] }; examples: Example[] }> }
  channels: { stream: { address: string; messages: object } }
}
interface Example {
  headers: { id: string; event: string }
  payload: unknown
}

const described = parse(readFileSync(join(import.meta.dirname, '../../../../openapi/stream.yaml'), 'utf8')) as Described
const names = Object.keys(streamMessages) as (keyof typeof streamMessages)[]

test('openapi/stream.yaml matches what the server sends (otherwise run `npm run openapi`)', async () => {
  const { app } = await startEvents()
  expect((await app.inject('/openapi/stream.json')).json()).toEqual(described)
})

test.each(names)('the example of %s matches its schema and has no other fields', (name) => {
  const [example] = described.components.messages[name]!.examples
  expect(streamMessages[name].schema.parse(example!.payload)).toEqual(example!.payload)
  expect(example!.headers.event).toBe(name)
})

test('a live stream sends the messages in the AsyncAPI description at the described address', async () => {
  const { stream, emit, ports, call } = await startEvents()
  const eventType = names as string[]
  const { reader, registrationUrl, subscriptionId } = await stream([{ type: 'LOCATIONIDS', value: ['ALL'], eventType }])
  const { address } = described.channels.stream
  expect(new URL(registrationUrl).pathname).toBe(address.replace('{subscriptionId}', subscriptionId))

  await emit(LIGHT, 'on')
  await changeLifecycle(ports, LIGHT, { lifecycle: 'CREATE' })
  await changeLifecycle(ports, LIGHT, { lifecycle: 'ROOM_MOVE', roomIdTo: 'room-9' })
  await reportHealth(ports, LIGHT, { status: 'OFFLINE' })
  const events = await reader.take(4)
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(names))
  for (const { event, data } of events) {
    expect(streamMessages[event as (typeof names)[number]].schema.parse(data)).toEqual(data)
  }

  await call('DELETE', `/subscriptions/${subscriptionId}`)
  const control: Block[] = [reader.blocks[0]!, (await reader.next())!]
  expect(control.map(({ event }) => event)).toEqual(['CONTROL_EVENT', 'CONTROL_EVENT'])
  for (const { data } of control) expect(described.components.messages['CONTROL_EVENT']!.payload.enum).toContain(data)
})
