// A client that requests /health/live continuously. It runs in its own process, so that other work of the benchmark
// does not distort its measurements.
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
// Responds to each message with the response times measured since the previous message.
process.on('message', () => {
  process.send(times)
  times = []
})
process.on('disconnect', () => process.exit())
