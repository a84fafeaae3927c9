import { setTimeout as wait } from 'node:timers/promises'
import { type Ground, inWorld, sending, times } from './ground.ts'
import { readParts, writeParts } from '../../test/helpers/documents/snapshots.ts'

const MANY = 50_000
const CENTER = 'ASC001'
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const start = Date.parse('2027-01-04T00:00:00Z')
const day = (i: number) => new Date(start + (i % 28) * 86_400_000).toISOString().slice(0, 10)

/** Fills all collections except tickets, and measures the requests that read or empty them. */
export async function measureFullCollections(ground: Ground): Promise<void> {
  await inWorld(ground, 'full', async (world) => {
    await fill(ground, world)
    await measureReading(ground, `${world}/_control`)
  })
  await inWorld(ground, 'scenarios', (world) => measureScenarios(ground, `${world}/_control`))
}

async function fill({ send }: Ground, world: string): Promise<void> {
  const snapshot = readParts(await send(`${world}/_control/snapshot`))
  const { records } = snapshot as { records: Record<string, object[]> }
  const [purchase] = records['purchases']!
  const at = (i: number) => new Date(start + i * 1000).toISOString()
  const filling: Readonly<Record<string, (i: number) => object>> = {
    outbox: (i) => ({
      messageId: `M${i}`,
      channel: 'SMS',
      to: '+1',
      subject: 'x',
      text: 'x',
      links: [],
      sentAt: at(i),
    }),
    purchases: (i) => ({ ...purchase, purchaseID: `many-${i}`, purchasedAt: at(i), period: 'P1D' }),
    bookings: (i) => {
      const about = { appointmentId: `A${i}`, srid: `${6_000_000_000 + i}`, ascCode: CENTER, holder: `bp:${i}` }
      return { ...about, slotId: `S${i % 500}`, date: day(i), startsAt: at(i), endsAt: at(i + 1) }
    },
  }
  for (const [name, make] of Object.entries(filling)) records[name] = [...records[name]!, ...times(MANY, make)]
  await send(`${world}/_control/snapshot`, sending('PUT', writeParts(snapshot)))
}

async function measureReading({ call }: Ground, control: string): Promise<void> {
  const full = (what: string) => `${MANY} records: ${what}`
  await call(full('mails'), 200, `${control}/outbox?limit=100&offset=${MANY - 200}`)
  await call(full('purchases'), 200, `${control}/purchases?limit=100&offset=${MANY - 200}`)
  await call(full('payments of one'), 200, `${control}/purchases/many-0/payments?limit=100`)
  await call(full('slots of a month'), 200, `${control}/service-centers/${CENTER}/slots?from=${day(0)}&days=31`)
  await call(full('bookings of a center'), 200, `${control}/records/bookings?ascCode=${CENTER}&limit=100&offset=30000`)
  const dates = times(28, (i) => `date=${day(i)}`).join('&')
  await call(full('bookings of 28 days'), 200, `${control}/records/bookings?ascCode=${CENTER}&${dates}&offset=30000`)
  await call(full('purchases of a seller'), 200, `${control}/records/purchases?sellerSecret=123456789012&offset=30000`)
  await call(full('collections'), 200, `${control}/records`)
  await call(full('status'), 200, `${control}/status`)
  await call(full('mails are forgotten'), 204, `${control}/outbox`, { method: 'DELETE' })
}

/** Each step writes the scenario, which has the maximum number of steps. */
async function measureScenarios({ call, measure, send }: Ground, control: string): Promise<void> {
  const change = { deviceId: LIGHT, capability: 'switch', attribute: 'switch' }
  const steps = times(1000, (i) => ({ ...change, afterMs: 0, value: i % 2 ? 'on' : 'off' }))
  const begin = (repeat: number | true, afterMs: number, count = 1000) =>
    sending('POST', { steps: [{ ...steps[0], afterMs }, ...steps.slice(1, count)], repeat })
  await call('a scenario of 1,000 steps', 200, `${control}/scenarios`, begin(1, 1000))
  await measure('1,000 steps that are due at once', () => wait(1500))
  await send(`${control}/clock`, sending('PUT', { frozen: true }))
  await call('a scenario without end', 200, `${control}/scenarios`, begin(true, 100, 20))
  await call('a day of it', 200, `${control}/clock/advance`, sending('POST', { duration: 'P1D' }))
  for (let i = 0; i < 99; i++) await send(`${control}/scenarios`, begin(1, 100_000))
  await call('100 scenarios', 200, `${control}/scenarios?limit=100`)
  await call('100 scenarios are forgotten', 204, `${control}/scenarios`, { method: 'DELETE' })
  const texts = times(1000, (i) => ({ name: `${i}`, state: 'done', problem: 'x'.repeat(900) }))
  const examination = { seed: 'x', scenarios: texts, checks: [] }
  await call('an examination of 900 KB', 200, `${control}/examination`, sending('PUT', examination))
  await call('the same, read', 200, `${control}/examination`)
}
