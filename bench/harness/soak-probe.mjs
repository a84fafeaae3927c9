// Imported into the server before its program. Reports memory and event-loop delay since the previous request of the
// soak test.
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  const [p99, longest] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  // Collects garbage first, because unreferenced memory is not a leak. The measured delay excludes the pause for this
  // collection.
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
  // Waits until the pause for the collection has been recorded.
  setTimeout(() => delay.reset(), 5)
})
