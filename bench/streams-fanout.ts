/**
 * Measures the CPU time per delivered event with many open streams, against nchan (nginx) if Debian's
 * libnginx-mod-nchan is installed. Also checks that every stream gets every event once. Limits relative to nchan: 0.40
 * for bursts of 4 events to 5,000 streams, 1.10 for single events to 1,000 streams. Run: npx tsx
 * bench/streams-fanout.ts
 */
import { type Nchan, startNchan } from './harness/nchan.ts'
import { print, report, spreadOf } from './harness/side-by-side.ts'
import { StreamReaders } from './harness/stream-readers.ts'
import { serveStreams, startStreamServer, type StreamServer } from './harness/stream-server.ts'

const ROUNDS = 9
/** The message is as long as an event of vendor-cloud. */
const MESSAGE = JSON.stringify({ eventId: 'x'.repeat(560) })

interface Figures {
  streams: number
  burst: number
  limit: number
}

if (!(await serveStreams())) {
  await compare({ streams: 5000, burst: 4, limit: 0.4 })
  await compare({ streams: 1000, burst: 1, limit: 1.1 })
}

async function compare({ streams, burst, limit }: Figures): Promise<void> {
  const [server, nchan] = [await startStreamServer(import.meta.filename), await startNchan()]
  const [ours, theirs] = [new StreamReaders(), new StreamReaders()]
  await ours.open(server.port, await server.subscribe(0, streams))
  if (nchan) await theirs.open(nchan.port, Array<string>(streams).fill('/sub'))
  const turns = Math.ceil(100_000 / streams / burst)
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const mine = await measureOurs(server, ours, { streams, turns, burst })
    const its = nchan && (await measureNchan(nchan, theirs, { streams, turns, burst }))
    if (round === 0) continue
    if (its) ratios.push(mine / its)
    print(`${mine.toFixed(2)} us a delivery${its ? `, nchan ${its.toFixed(2)}, ratio ${(mine / its).toFixed(2)}` : ''}`)
  }
  assertComplete(ours, turns * burst * (ROUNDS + 1))
  const what = `a delivery to ${streams} streams, bursts of ${burst}, against nchan`
  report(what, nchan ? spreadOf(ratios) : 'nchan is not installed', limit)
  for (const each of [ours, theirs]) each.close()
  server.stop()
  nchan?.stop()
}

interface Round {
  streams: number
  turns: number
  burst: number
}

async function measureOurs(
  server: StreamServer,
  readers: StreamReaders,
  { streams, turns, burst }: Round,
): Promise<number> {
  const before = await server.cpu()
  const arrived = readers.arrive(streams * turns * burst)
  await server.emit({ turns, burst })
  await arrived
  return ((await server.cpu()) - before) / (streams * turns * burst)
}

async function measureNchan(nchan: Nchan, readers: StreamReaders, { streams, turns, burst }: Round): Promise<number> {
  const before = nchan.cpu()
  for (let turn = 0; turn < turns; turn++) {
    const arrived = readers.arrive(streams * burst)
    for (let i = 0; i < burst; i++) await nchan.publish(MESSAGE)
    await arrived
  }
  return (nchan.cpu() - before) / (streams * turns * burst)
}

function assertComplete(readers: StreamReaders, events: number): void {
  const wrong = readers.counts.filter((count) => count !== events).length
  if (wrong > 0) throw new Error(`${wrong} streams did not get each of ${events} events once`)
  print(`each of ${readers.counts.length} streams got each of ${events} events once`)
}
