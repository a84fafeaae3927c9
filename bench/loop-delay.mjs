// Loaded into the server before its program: tells the benchmark how long its event loop stood still at most.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
// Each message asks for the longest since the one before.
process.on('message', () => {
  process.send({ milliseconds: delay.max / 1e6 })
  delay.reset()
})
