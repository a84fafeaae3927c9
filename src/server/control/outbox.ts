import { outboxOperations } from '#contract/control/outbox.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
import type { Ports } from '../ports.ts'
import { yielding } from '../ports/yielding.ts'
import { implementControl } from './context.ts'

export const outbox = implementControl(outboxOperations, {
  listOutbox: async ({ ports: { store }, query }) => {
    const items: OutboxMessage[] = await store.outbox.find({
      orderBy: { field: 'sentAt', direction: 'desc' },
      ...query,
    })
    return { items, totalCount: await store.outbox.count() }
  },
  clearOutbox: async ({ ports }) => clearOutbox(ports),
})

/** Maximum number of emails that one transaction deletes, oldest first, because other transactions wait for it. */
const MOST_AT_ONCE = 500

async function clearOutbox({ store }: Ports): Promise<void> {
  const orderBy = { field: 'sentAt', direction: 'asc' } as const
  const count = await store.outbox.count()
  const rounds = Array.from({ length: Math.ceil(count / MOST_AT_ONCE) }, (_, i) => count - i * MOST_AT_ONCE)
  for await (const left of yielding(rounds)) {
    await store.transaction(async (tx) => {
      const oldest = await tx.outbox.find({ orderBy, limit: Math.min(left, MOST_AT_ONCE) })
      for (const { messageId } of oldest) await tx.outbox.delete(messageId)
    })
  }
}
