import type { Ports } from '../../ports.ts'
import type { OutboxMessage } from '../../../contract/records/control/outbox-message.ts'

export async function listOutbox({ store }: Ports, page: { offset: number; limit: number }) {
  const items: OutboxMessage[] = await store.outbox.find({
    orderBy: { field: 'sentAt', direction: 'desc' },
    ...page,
  })
  return { items, totalCount: await store.outbox.count() }
}

export async function clearOutbox({ store }: Ports): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { messageId } of await tx.outbox.find()) await tx.outbox.delete(messageId)
  })
}
