// Imported before the code of a measured server. Reports the server's address, and the CPU time and garbage collections
// since the last request.
import { subscribe } from 'node:diagnostics_channel'
import { PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'

let collections = []
new PerformanceObserver((list) => {
  for (const { detail, duration } of list.getEntries()) collections.push({ kind: detail.kind, duration })
}).observe({ entryTypes: ['gc'] })

subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
  process.send?.({ address: `http://127.0.0.1:${server.address().port}` })
})

process.on('message', async () => {
  // The observer reports a garbage collection one event-loop tick later.
  await setImmediate()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, collections })
  collections = []
})
// Ends the server if the benchmark is killed.
process.on('disconnect', () => process.exit())
process.channel?.unref()
