/**
 * Measures responses when callers compete for the same slot: 1,000 parallel bookings of a slot with 10 places on two
 * instances with PostgreSQL, and 8 workers who book one after the other. Limits: at most 1% of the parallel bookings
 * and none of the others may return 5xx, and p99 must be under 2 s. Starts the database (Debian's postgresql, with
 * `fsync` on) and the instances itself. Run: npm run build && npx tsx bench/contention.ts
 */
import { loadavg } from 'node:os'
import process from 'node:process'
import { Agent, request } from 'undici'
import { systemClock } from '../src/server/adapters/node/clock.ts'
import { createPostgresEngine } from '../src/server/adapters/postgres/engine.ts'
import type { Store } from '../src/server/ports/store.ts'
import { newServiceCenter, newTicketBody, putAppointmentWorld } from '../test/helpers/documents/appointments.ts'
import { asTess } from '../test/helpers/documents/dealer-portal.ts'
import { newCustomer } from '../test/helpers/records.ts'
import { startProcess } from '../test/helpers/server-process.ts'
import { startPostgres } from '../test/system/services/servers.ts'
import { print, quantile } from './harness/side-by-side.ts'

const RACES = 3
const RACERS = 1000
const WORKERS = 8
const ROUNDS = 11
const PLACES = 10
/** A time before the start of the slot. */
const NOON = '2026-05-06T16:00:00.000Z'

const agent = new Agent({ connections: RACERS / 2 })
const postgres = await startPostgres({ fsync: 'on' })
const settings = { DATABASE_URL: postgres.url }
const instances = [await startProcess(settings), await startProcess(settings)]
const engine = await createPostgresEngine(postgres.url, systemClock)
try {
  for (let race = 0; race < RACES; race++) {
    const book = await openSlot(RACERS)
    await report(`${RACERS} at once`, () => Promise.all(Array.from({ length: RACERS }, (_, i) => book(i))))
  }
  const book = await openSlot(WORKERS * ROUNDS)
  await report(`${WORKERS} workers`, async () => {
    const work = async (worker: number) => {
      const answers: Answer[] = []
      for (let i = 0; i < ROUNDS; i++) answers.push(await book(worker))
      return answers
    }
    return (await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))).flat()
  })
  print(`load of the machine ${loadavg()[0]!.toFixed(1)}`)
} finally {
  await Promise.all([...instances.map(({ stop }) => stop('SIGTERM')), engine.close(), agent.close()])
  await postgres.remove()
}

interface Answer {
  status: number
  took: number
}

/**
 * Resets the world, so that no place in the slot is booked. Returns a function that sends a booking for the next
 * customer.
 */
async function openSlot(customers: number): Promise<(turn: number) => Promise<Answer>> {
  await send(0, 'POST', '/_control/reset')
  await send(0, 'PUT', '/_control/clock', { now: NOON, frozen: true })
  const { store } = await engine.open('default')
  const { inHome, ...center } = newServiceCenter()
  await putAppointmentWorld(store, { ...center, inHome: { ...inHome!, capacity: { AM: 2, PM: PLACES } } })
  const bpNos = Array.from({ length: customers }, (_, i) => String(9_300_000_000 + i))
  await putCustomers(store, bpNos)
  return async (turn) => {
    const started = performance.now()
    const body = newTicketBody({ bpNo: bpNos.pop() })
    const status = await send(turn, 'POST', '/stg/us/dealer/customers/ticket', body, asTess())
    return { status, took: performance.now() - started }
  }
}

function putCustomers(store: Store, bpNos: readonly string[]): Promise<void> {
  return store.transaction(async (tx) => {
    for (const bpNo of bpNos) await tx.customers.put(newCustomer({ bpNo }))
  })
}

async function send(turn: number, method: 'POST' | 'PUT', path: string, body?: object, headers = {}): Promise<number> {
  const { url } = instances[turn % instances.length]!
  const reply = await request(url + path, {
    method,
    dispatcher: agent,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  await reply.body.dump()
  return reply.statusCode
}

async function report(title: string, race: () => Promise<Answer[]>): Promise<void> {
  const started = performance.now()
  const answers = await race()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const count = (hundreds: number) => answers.filter(({ status }) => Math.floor(status / 100) === hundreds).length
  const [p50, p99] = [0.5, 0.99].map((share) =>
    quantile(
      answers.map(({ took }) => took),
      share,
    ).toFixed(0),
  )
  print(
    `${title}: ${count(2)} 2xx, ${count(4)} 4xx, ${count(5)} 5xx; p50 ${p50} ms, p99 ${p99} ms; ${seconds} s in all`,
  )
  if (count(2) > PLACES) process.exitCode = 1
}
