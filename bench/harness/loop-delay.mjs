// Imported into the server before its program. Reports the duration of the longest event-loop tick.
import { readFileSync } from 'node:fs'
import { performance, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'

/** Milliseconds after which the kernel updates the CPU time of a running thread. */
const TICK = 4
const sample = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i, name: `entry ${i}` })))

let longest = { milliseconds: 0, from: 0, to: 0 }
let last = look()
let collections = []
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()))
observer.observe({ entryTypes: ['gc'] })

// A timer of 1 ms fires once per event-loop tick. Each tick is measured as elapsed time, CPU time of the thread and CPU
// time of the process. Under load, the CPU times are less than the elapsed time. Helper threads increase the CPU time
// of the process. The smallest of the three values is never too small.
const timer = setInterval(() => {
  const now = look()
  const [clock, all, own] = now.map((each, i) => each - last[i])
  const milliseconds = Math.min(clock, all, own + TICK)
  if (milliseconds > longest.milliseconds) longest = { milliseconds, from: last[0], to: now[0] }
  last = now
}, 1)
timer.unref()

function look() {
  const { user, system } = process.cpuUsage()
  return [performance.now(), (user + system) / 1000, readThread()]
}

/** CPU time of this thread in milliseconds, or the elapsed time if no file reports it. */
function readThread() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return performance.now()
  }
}

/** CPU time of a constant amount of work in milliseconds. It shows the current speed of the machine. */
function measurePace() {
  const before = process.cpuUsage()
  JSON.parse(sample)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

// Responds to each message with the longest tick since the previous message.
process.on('message', () => {
  const pace = Math.min(measurePace(), measurePace(), measurePace())
  const { milliseconds, from, to } = longest
  const within = collections.filter(({ startTime }) => startTime >= from && startTime < to)
  const collected = within.reduce((sum, { duration }) => sum + duration, 0)
  process.send({ longest: milliseconds, collected: Math.min(milliseconds, collected), pace })
  collections = []
  longest = { milliseconds: 0, from: 0, to: 0 }
  last = look()
})
