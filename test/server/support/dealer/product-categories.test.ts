import { describe, expect, test } from 'vitest'
import { openDealerPortal } from '../../../helpers/documents/dealer-portal.ts'

async function openWithCategories() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    const top = { id: 'T-TOP', name: 'Test', parentId: 'ROOT', level: 1, isLeafFlag: 'N', displayOrder: 0 } as const
    const below = { parentId: 'T-TOP', level: 2, isLeafFlag: 'Y' } as const
    await tx.productCategories.put(top)
    await tx.productCategories.put({ ...below, id: 'T-A', name: 'Second', subType: 'TV', displayOrder: 2 })
    await tx.productCategories.put({ ...below, id: 'T-B', name: 'First', subType: 'PHONE', displayOrder: 1 })
  })
  return portal
}

describe('operation 5', () => {
  test('returns 200 for ROOT with only the top-level categories', async () => {
    const { get } = await openWithCategories()
    const reply = await get('/categories/ROOT/children')
    expect(reply.statusCode).toBe(200)
    const categories = reply.json<{ id: string; parentId: string; level: number }[]>()
    expect(categories.map(({ id }) => id)).toContain('T-TOP')
    expect(categories.every(({ parentId, level }) => parentId === 'ROOT' && level === 1)).toBe(true)
  })

  test('returns 200 with the child categories in display order', async () => {
    const { get } = await openWithCategories()
    expect((await get('/categories/T-TOP/children')).json()).toEqual([
      { id: 'T-B', name: 'First', parentId: 'T-TOP', level: 2, isLeafFlag: 'Y', subType: 'PHONE' },
      { id: 'T-A', name: 'Second', parentId: 'T-TOP', level: 2, isLeafFlag: 'Y', subType: 'TV' },
    ])
  })

  test('returns 200 with an empty list for a category without children', async () => {
    const { get } = await openWithCategories()
    const reply = await get('/categories/T-A/children')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual([])
  })

  test.each(['T-NONE', 'root', '%20', '__proto__'])('returns 404 for %j, which is not a category', async (id) => {
    const { get } = await openWithCategories()
    expect((await get(`/categories/${id}/children`)).statusCode).toBe(404)
  })
})
