import { describe, expect, test } from 'vitest'
import { rejectUnusableValues } from '../../../helpers/open-with-choices.ts'
import { asToby, findingsOf, openDealerPortal } from '../../../helpers/documents/dealer-portal.ts'
import { newStore } from '../../../helpers/records.ts'

async function openWithStores() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    await tx.stores.put(newStore({ storeId: 'T-1', storeNumber: '12', storeName: 'Beta', city: 'Austin' }))
    await tx.stores.put(newStore({ storeId: 'T-2', storeNumber: '11', storeName: 'Alpha', city: 'Boston' }))
    await tx.stores.put(newStore({ storeId: 'T-3', storeNumber: '13', storeName: 'Gamma', storePhone: '+12125550111' }))
    await tx.stores.put(newStore({ storeId: 'T-9', storeNumber: '11', storeName: 'Foreign', companyId: 'T200' }))
  })
  const list = async (query: string) => {
    const reply = await portal.get(`/stores${query}`)
    expect(reply.statusCode).toBe(200)
    const { items, ...page } = reply.json()
    return { ids: items.map(({ storeId }: { storeId: string }) => storeId), items, page }
  }
  return { ...portal, list }
}

describe('operation 17', () => {
  test("returns 200 with all stores of the caller's company by name, without pagination", async () => {
    const { list, get } = await openWithStores()
    const { ids, page, items } = await list('')
    expect(ids).toEqual(['T-2', 'T-1', 'T-3'])
    expect(page).toEqual({ totalCount: 3, pageNo: 1, size: 100, hasMore: false })
    expect({ ...items[1], closedDates: [] }).toEqual(
      newStore({ storeId: 'T-1', storeNumber: '12', storeName: 'Beta', city: 'Austin' }),
    )
    expect((await get('/stores', asToby())).json().items).toMatchObject([{ storeId: 'T-9' }])
  })

  test('returns 200 with the first 100 stores and hasMore: true if there are more', async () => {
    const { list, store } = await openWithStores()
    await store.transaction(async (tx) => {
      for (let i = 100; i < 200; i++) await tx.stores.put(newStore({ storeId: `T-${i}`, storeName: `Store ${i}` }))
    })
    const { ids, page } = await list('')
    expect(ids).toHaveLength(100)
    expect(page).toEqual({ totalCount: 103, pageNo: 1, size: 100, hasMore: true })
  })

  test.each([
    ['?pageNo=2', [], { pageNo: 2, size: 20 }],
    ['?size=2', ['T-2', 'T-1'], { pageNo: 1, size: 2 }],
    ['?pageNo=2&size=1', ['T-1'], { pageNo: 2, size: 1 }],
    ['?pagination=false&pageNo=2&size=1', ['T-1'], { pageNo: 2, size: 1 }],
    ['?size=0', ['T-2'], { pageNo: 1, size: 1 }],
    ['?size=500', ['T-2', 'T-1', 'T-3'], { pageNo: 1, size: 100 }],
    ['?pageNo=0&size=-1', ['T-2'], { pageNo: 1, size: 1 }],
  ])('returns 200 for %j with the requested page', async (query, expected, applied) => {
    const { list } = await openWithStores()
    expect(await list(query)).toMatchObject({ ids: expected, page: { totalCount: 3, ...applied } })
  })

  test('returns a page if pagination is true, in any letter case', async () => {
    const { list } = await openWithStores()
    const first = await list('?pagination=True&size=2')
    expect(first).toMatchObject({ ids: ['T-2', 'T-1'], page: { totalCount: 3, pageNo: 1, size: 2, hasMore: true } })
    const second = await list('?pagination=true&size=2&pageNo=2')
    expect(second).toMatchObject({ ids: ['T-3'], page: { totalCount: 3, pageNo: 2, size: 2, hasMore: false } })
    expect(await list('?pagination=true&pageNo=2147483647&size=100')).toMatchObject({ ids: [] })
  })

  test.each([
    ['?sort.field=storeNumber', ['T-2', 'T-1', 'T-3']],
    ['?sort.field=storeNumber&sort.direction=DESC', ['T-3', 'T-1', 'T-2']],
    ['?sort.field=city&sort.direction=asc', ['T-1', 'T-2', 'T-3']],
    ['?sort.direction=Desc', ['T-3', 'T-1', 'T-2']],
    ['?sort.field=storePhone', ['T-1', 'T-2', 'T-3']],
    ['?sort.field=lat&sort.direction=desc', ['T-3', 'T-2', 'T-1']],
    ['?sort.field=nope&sort.direction=up', ['T-2', 'T-1', 'T-3']],
    ['?sort.field=hours', ['T-2', 'T-1', 'T-3']],
    ['?storeId=T-1', ['T-1']],
    ['?storeNumber=11', ['T-2']],
    ['?storePhone=(212)%20555-0111', ['T-3']],
    ['?companyId=T100&accessToken=secret&storeNumber=12&fields=', ['T-1']],
    ['?storeId=T-9', []],
    ['?storeNumber=11&storeId=T-1', []],
    ['?storePhone=none', []],
  ])('returns 200 for %j with the matching stores in the requested order', async (query, expected) => {
    const { list } = await openWithStores()
    const { ids, page } = await list(query)
    expect(ids).toEqual(expected)
    expect(page.totalCount).toBe(expected.length)
  })

  test('returns 200 with only the known fields listed in the query parameter fields', async () => {
    const { list } = await openWithStores()
    const { items } = await list('?fields=storeName,%20city,&storeId=T-1')
    expect(items).toEqual([{ storeName: 'Beta', city: 'Austin' }])
    expect((await list('?fields=nope,city&storeId=T-1')).items).toEqual([{ city: 'Austin' }])
    expect((await list('?fields=nope&storeId=T-1')).items).toEqual((await list('?storeId=T-1')).items)
  })

  test('returns 400 with all errors and the allowed values if unusable-values is reject', async () => {
    const { get, app } = await openWithStores()
    await rejectUnusableValues(app)
    const reply = await get('/stores?sort.field=hours&sort.direction=up&pagination=yes&pageNo=0&size=101&fields=name')
    expect(reply.statusCode).toBe(400)
    const wrong = ['sort.field', 'sort.direction', 'pagination', 'pageNo', 'size', 'fields[0]']
    expect(findingsOf(reply)).toEqual(wrong.map((name) => `InvalidParameter query.${name}`))
    expect(reply.body).toContain('must be one of storeId, storeNumber, storeName')
    expect(reply.body).toContain('must be a list of storeId, storeNumber, storeName')
    expect(findingsOf(await get('/stores?pageNo=%2B1'))).toEqual(['InvalidParameter query.pageNo'])
  })
})
