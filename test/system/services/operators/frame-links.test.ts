import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCollector } from '../../../helpers/collector.ts'
import { type Installation, install } from '../installation.ts'
import { emit, lastId, openAt, subscribe, values } from '../subscriptions.ts'

const PRODUCER = 4

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

async function startTraced() {
  const collector = await startCollector()
  const more = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' }
  const server = await installation.startInstance({ more })
  const spansOf = (name: string | RegExp) => collector.spans.filter((span) => span.name.match(name))
  return { ...server, spansOf, frames: () => collector.spans.filter(({ kind }) => kind === PRODUCER) }
}
const reference = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({ traceId, spanId })

test('the span of a frame links to the causing request on another instance', async () => {
  const [a, b, c] = await Promise.all([startTraced(), startTraced(), startTraced()])
  const subscription = await subscribe(a.url)
  const first = await openAt(b.url, subscription)
  await first.next()
  const welcome = lastId(first)
  for (let i = 0; i < 3; i++) expect(await emit(a.url, i)).toBe(200)
  expect(await values(first, 3)).toEqual([0, 1, 2])
  // The client has not received any of these events. It resumes on another instance.
  const again = await openAt(c.url, subscription, { 'last-event-id': welcome })
  expect(await values(again, 3)).toEqual([0, 1, 2])
  expect(await emit(b.url, 3)).toBe(200)
  expect(await values(again, 1)).toEqual([3])
  await expect.poll(() => [b.frames().length, c.frames().length]).toEqual([3, 4])
  const causes = () => [...a.spansOf(/^POST \/_control\/devices/), ...b.spansOf(/^POST \/_control\/devices/)]
  await expect.poll(() => causes().length).toBe(4)
  const linked = causes().map(reference)
  // The span of a stream ends with the stream.
  again.leave()
  for (const [server, count] of [
    [b, 3],
    [c, 4],
  ] as const) {
    expect(server.frames().map(({ links }) => links.map(reference))).toEqual(
      linked.slice(0, count).map((each) => [each]),
    )
    await expect.poll(() => server.spansOf(/^GET \/filters/).length).toBe(1)
    const [stream] = server.spansOf(/^GET \/filters/)
    const parents = server.frames().map(({ traceId, parentSpanId }) => [traceId, parentSpanId])
    expect(new Set(parents.map(String))).toEqual(new Set([String([stream!.traceId, stream!.spanId])]))
  }
})

test('the span of a frame has no link if the causing instance exports no spans', async () => {
  const a = await installation.startInstance()
  const b = await startTraced()
  const stream = await openAt(b.url, await subscribe(a.url))
  await stream.next()
  expect(await emit(a.url, 1)).toBe(200)
  expect(await values(stream, 1)).toEqual([1])
  await expect.poll(() => b.frames().map(({ links }) => links)).toEqual([[]])
})

test('the span of a frame links to its cause even after all instances restarted', async () => {
  const a = await startTraced()
  const subscription = await subscribe(a.url)
  const first = await openAt(a.url, subscription)
  await first.next()
  const welcome = lastId(first)
  await emit(a.url, 1)
  expect(await values(first, 1)).toEqual([1])
  await expect.poll(() => a.spansOf(/^POST \/_control\/devices/).length).toBe(1)
  await a.stop('SIGTERM')
  const b = await startTraced()
  const again = await openAt(b.url, subscription, { 'last-event-id': welcome })
  expect(await values(again, 1)).toEqual([1])
  const [cause] = a.spansOf(/^POST \/_control\/devices/)
  await expect.poll(() => b.frames().map(({ links }) => links.map(reference))).toEqual([[reference(cause!)]])
})
