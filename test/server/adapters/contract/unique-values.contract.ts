import { expect, test } from 'vitest'
import { UniqueViolation } from '../../../../src/server/ports/failures.ts'
import type { Store } from '../../../../src/server/ports/store.ts'
import { newTicket } from '../../../helpers/records.ts'

export function describeUniqueValues(store: () => Store): void {
  test('a unique value can be used by only one record, even in parallel transactions', async () => {
    const ticket = (srid: string, ticketNumber: string) => newTicket({ srid, ticketNumber })
    await store().transaction((tx) => tx.tickets.put(ticket('9410000001', '9720000001')))
    const twin = store().transaction((tx) => tx.tickets.put(ticket('9410000002', '9720000001')))
    await expect(twin).rejects.toThrow(UniqueViolation)
    const twins = store().transaction(async (tx) => {
      await tx.tickets.put(ticket('9410000003', '9720000003'))
      await tx.tickets.put(ticket('9410000004', '9720000003'))
    })
    await expect(twins).rejects.toThrow(UniqueViolation)
    const race = ['9410000005', '9410000006', '9410000007'].map((srid) =>
      store().transaction((tx) => tx.tickets.put(ticket(srid, '9720000005'))),
    )
    const outcomes = await Promise.allSettled(race)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await store().tickets.count()).toBe(2)
  })

  test('within a transaction, a unique value can be moved from one record to another', async () => {
    await store().transaction((tx) => tx.tickets.put(newTicket({ srid: '9410000001', ticketNumber: '9720000001' })))
    await store().transaction(async (tx) => {
      await tx.tickets.put(newTicket({ srid: '9410000001', ticketNumber: '9720000002' }))
      await tx.tickets.put(newTicket({ srid: '9410000002', ticketNumber: '9720000001' }))
    })
    expect(await store().tickets.find({ where: { ticketNumber: '9720000001' } })).toMatchObject([
      { srid: '9410000002' },
    ])
  })

  test('two records can swap their unique values within a transaction', async () => {
    const [a, b] = ['9410000001', '9410000002'] as const
    await store().transaction(async (tx) => {
      await tx.tickets.put(newTicket({ srid: a, ticketNumber: '9720000001' }))
      await tx.tickets.put(newTicket({ srid: b, ticketNumber: '9720000002' }))
    })
    await store().transaction(async (tx) => {
      await tx.tickets.put(newTicket({ srid: a, ticketNumber: '9720000002' }))
      await tx.tickets.put(newTicket({ srid: b, ticketNumber: '9720000001' }))
    })
    const [found] = await store().tickets.find({ where: { ticketNumber: '9720000001' } })
    expect(found?.srid).toBe(b)
    expect((await store().tickets.get(a))?.ticketNumber).toBe('9720000002')
  })
}
