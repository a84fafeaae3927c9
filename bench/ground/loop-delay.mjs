// Loaded into the server before its program: tells the benchmark how long one turn of its event loop took at most.
import { performance } from 'node:perf_hooks'
import process from 'node:process'

let longest = 0
let [since, spent] = [performance.now(), process.cpuUsage()]

// A timer of 1 ms is met once a turn. Where others have the processor, what the process has spent is less than what has
// passed; where its helpers work beside it, more: a turn took neither less nor more than the smaller of the two.
const timer = setInterval(() => {
  const [now, usage] = [performance.now(), process.cpuUsage()]
  const cpu = (usage.user + usage.system - spent.user - spent.system) / 1000
  longest = Math.max(longest, Math.min(now - since, cpu))
  ;[since, spent] = [now, usage]
}, 1)
timer.unref()

// Each message asks for the longest since the one before.
process.on('message', () => {
  process.send({ milliseconds: longest })
  longest = 0
})
