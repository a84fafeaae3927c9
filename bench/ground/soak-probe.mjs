// Loaded into the server before its program: tells the soak what it holds, and how its event loop has run since the
// last time.
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  const [p99, longest] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  // What nobody holds any more is no leak; the pause is not the server's.
  globalThis.gc()
  const resources = process.getActiveResourcesInfo()
  process.send({
    heap: process.memoryUsage().heapUsed / 2 ** 20,
    rss: process.memoryUsage.rss() / 2 ** 20,
    descriptors: readdirSync('/proc/self/fd').length,
    timers: resources.filter((each) => each === 'Timeout').length,
    resources: resources.length,
    p99,
    longest,
  })
  // Once the collection's pause has been noted.
  setTimeout(() => delay.reset(), 5)
})
