// A client of its own process, which asks for /health/live all the time: no other work of a benchmark delays its clock.
import { Agent, get } from 'node:http'
import { performance } from 'node:perf_hooks'
import process from 'node:process'

const url = `${process.argv[2]}/health/live`
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let times = []

function ask() {
  const before = performance.now()
  const again = () => {
    times.push(performance.now() - before)
    setTimeout(ask, 2)
  }
  get(url, { agent }, (reply) => reply.resume().once('end', again)).once('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
}

ask()
// Each message asks for the times since the one before.
process.on('message', () => {
  process.send(times)
  times = []
})
process.on('disconnect', () => process.exit())
