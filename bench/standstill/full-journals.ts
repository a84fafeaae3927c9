import { type Ground, inWorld, sending, times } from './ground.ts'

const guest = { 'request-source': 'vendor.com' }
const VERIFY = '/_control/journal/verify'

/** Fills the journal with bodies of 16 KB and with pages of 120 KB. */
export async function measureFullJournals(ground: Ground): Promise<void> {
  await inWorld(ground, 'bodies', async (world) => {
    const further = times(600, (i) => ({ name: `entry ${i}`, i }))
    const body = JSON.stringify({ rating: 5, comment: 'fine', further }).slice(0, 16_300)
    const whole = `${body.slice(0, body.lastIndexOf(',{'))}]}`
    await fill(ground, 4000, `${world}/stg/us/guest/customerFeedback`, sending('POST', whole, guest))
    await measureReading(ground, world, 'bodies of 16 KB', { further: [{ name: 'entry 500', i: 7 }] })
  })
  await inWorld(ground, 'pages', async (world) => {
    const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
    await fill(ground, 600, `${world}/stg/us/dealer/tickets?limit=100`, { headers })
    await measureReading(ground, world, 'pages of 100 tickets', { nothing: 1 })
  })
}

async function fill({ send }: Ground, count: number, path: string, init: RequestInit): Promise<void> {
  for (let i = 0; i < count; i += 20) await Promise.all(times(20, () => send(path, init)))
}

async function measureReading(ground: Ground, world: string, what: string, body: object): Promise<void> {
  const { call, measure, send } = ground
  const verify = sending('POST', { match: { body }, withinMs: 1000 })
  const asked = Date.now()
  await call(`verify by body over ${what}`, 200, world + VERIFY, verify)
  print(`answered after ${Date.now() - asked} ms (withinMs 1000)`)
  const together = Date.now()
  await measure(`the same, 20 at once, over ${what}`, () => Promise.all(times(20, () => send(world + VERIFY, verify))))
  print(`20 at once answered after ${Date.now() - together} ms (withinMs 1000)`)
  await call(`an archive of ${what}`, 200, `${world}/_control/journal?format=har`)
  await call(`100 entries with ${what}`, 200, `${world}/_control/journal?limit=100`)
  await call(`a search in ${what}`, 200, `${world}/_control/journal?q=nowhere`)
  await call(`coverage of ${what}`, 200, `${world}/_control/coverage`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
