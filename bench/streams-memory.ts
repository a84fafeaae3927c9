/**
 * Measures the resident memory of an idle stream, as the growth from 1,000 to 6,000 open streams. The subscriptions and
 * tokens of the streams already exist. Limit: 13 KB. Run: npx tsx bench/streams-memory.ts
 */
import { startNchan } from './harness/nchan.ts'
import { print, report } from './harness/side-by-side.ts'
import { StreamReaders } from './harness/stream-readers.ts'
import { serveStreams, startStreamServer } from './harness/stream-server.ts'

const [FIRST, MORE] = [1000, 5000]

if (!(await serveStreams())) {
  const server = await startStreamServer(import.meta.filename)
  const readers = new StreamReaders()
  const paths = await server.subscribe(0, FIRST + MORE)
  await readers.open(server.port, paths.slice(0, FIRST))
  const before = await server.memory()
  await readers.open(server.port, paths.slice(FIRST))
  const after = await server.memory()
  report('resident memory of an idle stream, KB', kilobytes(after - before), 13)
  readers.close()
  server.stop()

  const nchan = await startNchan()
  if (nchan) {
    const theirs = new StreamReaders()
    await theirs.open(nchan.port, Array<string>(FIRST).fill('/sub'))
    const first = nchan.memory()
    await theirs.open(nchan.port, Array<string>(MORE).fill('/sub'))
    print(`nchan: ${kilobytes(nchan.memory() - first)} KB`)
    theirs.close()
    nchan.stop()
  }
}

function kilobytes(bytes: number): string {
  return (bytes / MORE / 1024).toFixed(1)
}
