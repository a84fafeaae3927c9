import type { Ports } from '../ports.ts'
import { collectionNames } from '../schemas/collections.ts'

/** How many records each collection holds. */
export async function countRecords({ store }: Pick<Ports, 'store'>): Promise<Record<string, number>> {
  const counts = await Promise.all(collectionNames.map(async (name) => [name, await store[name].count()] as const))
  return Object.fromEntries(counts)
}
