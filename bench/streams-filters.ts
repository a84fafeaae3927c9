/**
 * Measures the cost of an event, from the report of the device to the socket, with 10,000 live subscriptions to one
 * device each, against 100 of them. An index finds the matching subscription. Limit: 1.2. Run: npx tsx
 * bench/streams-filters.ts
 */
import { print, report, spreadOf } from './harness/side-by-side.ts'
import { StreamReaders } from './harness/stream-readers.ts'
import { serveStreams, startStreamServer, type StreamServer } from './harness/stream-server.ts'

const ROUNDS = 7
const EVENTS = 4000

if (!(await serveStreams())) {
  const few = await open(100)
  const many = await open(10_000)
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const [first, second] = [await measure(few), await measure(many)]
    if (round === 0) continue
    ratios.push(second / first)
    print(`${first.toFixed(1)} us with 100, ${second.toFixed(1)} us with 10,000, ratio ${(second / first).toFixed(2)}`)
  }
  report('an event with 10,000 filtered subscriptions against 100', spreadOf(ratios), 1.2)
  const others = many.readers.counts.filter((count, i) => i !== 50 && count > 0).length
  if (others > 0 || many.readers.counts[50] !== EVENTS * (ROUNDS + 1))
    throw new Error('events went to the wrong streams')
  for (const { server, readers } of [few, many]) {
    readers.close()
    server.stop()
  }
}

interface Setup {
  server: StreamServer
  readers: StreamReaders
}

async function open(subscriptions: number): Promise<Setup> {
  const server = await startStreamServer(import.meta.filename)
  const readers = new StreamReaders()
  await readers.open(server.port, await server.subscribe(0, subscriptions, true))
  return { server, readers }
}

async function measure({ server, readers }: Setup): Promise<number> {
  const before = await server.cpu()
  const arrived = readers.arrive(EVENTS)
  await server.emit({ turns: EVENTS, burst: 1, device: 50 })
  await arrived
  return ((await server.cpu()) - before) / EVENTS
}
