import type { Ports } from '#server/ports.ts'
import { yielding } from '#server/ports/yielding.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'

export async function listOutbox({ store }: Ports, page: { offset: number; limit: number }) {
  const items: OutboxMessage[] = await store.outbox.find({
    orderBy: { field: 'sentAt', direction: 'desc' },
    ...page,
  })
  return { items, totalCount: await store.outbox.count() }
}

/** A transaction holds up others, so many mails are forgotten in several, the oldest first: later ones stay. */
const MOST_AT_ONCE = 500

export async function clearOutbox({ store }: Ports): Promise<void> {
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
