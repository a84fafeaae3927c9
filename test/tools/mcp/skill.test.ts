import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { booking } from '../../helpers/bookings.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'

const skill = readFileSync(join(import.meta.dirname, '../../../skills/vendor-cloud/SKILL.md'), 'utf8')

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'skill' })
})
afterAll(() => cloud.stop())

test('the ticket count of the skill includes a booking whose response was lost', async () => {
  const { url } = await cloud.world({ now: '2026-05-06T12:00:00Z', frozen: true })
  const { call } = await connectAgent(overHttp(url))
  const count = async () => {
    const [, input = ''] = /count tickets: `call` with `(\{.*?\})`/.exec(skill) ?? []
    const { value } = await call('call', JSON.parse(input) as Record<string, unknown>)
    return (value['body'] as { totalCount: number }).totalCount
  }
  const before = await count()
  const [, fault = ''] = /`(\{"action": "fault".*?\})`/.exec(skill) ?? []
  await call('inject_fault', JSON.parse(fault) as Record<string, unknown>)
  expect((await call('call', { operation: 8, body: booking })).isError).toBe(true)
  const again = { ...booking, timeSlot: booking.timeSlot.replace('AM', 'PM') }
  expect((await call('call', { operation: 8, body: again })).value).toMatchObject({ status: 200 })
  expect((await count()) - before).toBe(2)
})
