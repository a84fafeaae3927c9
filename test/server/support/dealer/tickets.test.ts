import { describe, expect, test } from 'vitest'
import { rejectUnusableValues } from '../../../helpers/open-with-choices.ts'
import { asToby, expectSameRefusal, findingsOf, openDealerPortal } from '../../../helpers/documents/dealer-portal.ts'
import { newProductModel, newTicket } from '../../../helpers/records.ts'

const at = (day: number) => `2026-05-0${day}T12:00:00.000Z`

async function openWithTickets() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    const second = { bpNo: '9100000002', phoneNumber: '+12125550100' }
    for (const [n, more] of [
      [1, { modelCode: 'VM-C' }],
      [2, { modelCode: 'VM-A', status: 'E0002', ...second }],
      [3, { modelCode: 'VM-B', status: 'E0003', serviceType: 'SR', statusReasonCode: 'COMPLETED' }],
      [4, { modelCode: 'VM-A', serviceType: 'DS', ...second }],
      [5, { companyId: 'T200', bpNo: '9200000001' }],
    ] as const) {
      const ids = { srid: `941000000${n}`, ticketNumber: `972000000${n}` }
      await tx.tickets.put(newTicket({ ...ids, createdAt: at(n), ...more }))
    }
  })
  const list = async (query: string) => {
    const reply = await portal.get(`/tickets${query}`)
    expect(reply.statusCode).toBe(200)
    const { items, ...page } = reply.json()
    return { numbers: items.map(({ srid }: { srid: string }) => Number(srid) - 9410000000), page, items }
  }
  return { ...portal, list }
}

describe('operation 19', () => {
  test("returns 200 with the tickets of the caller's company, newest first", async () => {
    const { list, get } = await openWithTickets()
    const { numbers, page } = await list('')
    expect(numbers).toEqual([4, 3, 2, 1])
    expect(page).toEqual({ totalCount: 4, offset: 0, limit: 20, hasMore: false })
    expect((await get('/tickets', asToby())).json()).toMatchObject({ items: [{ srid: '9410000005' }], totalCount: 1 })
  })

  test('returns tickets without internal fields', async () => {
    const { list } = await openWithTickets()
    const { phoneNumber: _, ...shown } = newTicket({ modelCode: 'VM-C', createdAt: at(1) })
    expect((await list('?srId=9410000001')).items).toEqual([shown])
  })

  test.each([
    ['?statusList=E0001', [4, 1]],
    ['?statusList=E0003&statusList=E0002&statusList=', [3, 2]],
    ['?statusList=E0001&statusList=E0002&statusList=E0003&statusList=E0003', [4, 3, 2, 1]],
    ['?bpNoList=9100000002', [4, 2]],
    ['?bpNoList=9100000001&bpNoList=9100000002&statusList=E0001', [4, 1]],
    ['?bpNoList=9200000001&bpNoList=12', []],
    ['?ticketNumber=9720000002', [2]],
    ['?ticketNumber=9720000005', []],
    ['?srId=9410000003', [3]],
    ['?srId=9410000003&statusList=E0001', []],
    ['?srId=nonsense', []],
    ['?phoneNumber=212.555.0100', [4, 2]],
    ['?phoneNumber=nonsense', []],
    ['?serviceType=ds', [4]],
    ['?serviceType=IH&statusList=E0001&statusList=E0002', [2, 1]],
    ['?serviceType=CI', []],
    ['?subCategory=&companyId=T100&offset=&limit=', [4, 3, 2, 1]],
    ['?sorts[0].field=modelCode', [2, 4, 3, 1]],
    ['?sorts%5B0%5D.field=modelCode&sorts%5B0%5D.direction=DESC', [1, 3, 4, 2]],
    ['?sorts[0].field=updatedAt', [1, 2, 3, 4]],
    ['?sorts[0].direction=asc', [1, 2, 3, 4]],
    ['?sorts[0].field=srid&statusList=E0001&serviceType=DS', [4]],
  ])('returns 200 for %j with the matching tickets in the requested order', async (query, expected) => {
    const { list } = await openWithTickets()
    const { numbers, page } = await list(query)
    expect(numbers).toEqual(expected)
    expect(page.totalCount).toBe(expected.length)
  })

  test.each([
    ['?subCategory=TEST-RINGS', [4, 2]],
    ['?subCategory=test%20rings', [4, 2]],
    ['?subCategory=test-rings&statusList=E0001', [4]],
    ['?subCategory=NOPE', []],
  ])('returns 200 for %j with the tickets whose model belongs to the category', async (query, expected) => {
    const { list, store } = await openWithTickets()
    await store.transaction(async (tx) => {
      const category = 'TEST-RINGS'
      const leaf = {
        id: category,
        name: 'Test rings',
        parentId: 'ROOT',
        level: 1,
        isLeafFlag: 'Y',
        subType: 'RING',
      } as const
      await tx.productCategories.put({ ...leaf, displayOrder: 99 })
      await tx.productModels.put(newProductModel({ modelCode: 'VM-A', category }))
      await tx.productModels.put(newProductModel({ modelCode: 'VM-B' }))
    })
    expect((await list(query)).numbers).toEqual(expected)
  })

  test('returns 200 with the requested page', async () => {
    const { list } = await openWithTickets()
    expect(await list('?limit=2')).toMatchObject({ numbers: [4, 3], page: { offset: 0, limit: 2, hasMore: true } })
    expect(await list('?limit=2&offset=2')).toMatchObject({ numbers: [2, 1], page: { totalCount: 4, hasMore: false } })
    expect(await list('?limit=1&offset=1&statusList=E0001')).toMatchObject({ numbers: [1], page: { hasMore: false } })
    expect(await list('?offset=2147483647')).toMatchObject({ numbers: [], page: { totalCount: 4, hasMore: false } })
  })

  test('returns 400 with all errors and the allowed values if unusable-values is reject', async () => {
    const { get, app } = await openWithTickets()
    await rejectUnusableValues(app)
    const wrong = 'sorts[0].field=title&sorts[0].direction=up&statusList=E0001&statusList=E9&limit=101&offset=-1'
    const reply = await get(`/tickets?${wrong}&srId=1&srId=2`)
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply).sort()).toEqual([
      'InvalidParameter query.limit',
      'InvalidParameter query.offset',
      'InvalidParameter query.sorts[0].direction',
      'InvalidParameter query.sorts[0].field',
      'InvalidParameter query.statusList[1]',
      'RepeatedParameter query.srId',
    ])
    expect(reply.body).toContain('must be one of status, statusDesc')
    expect(reply.body).toContain('must be one of E0001, E0002, E0003')
  })
})

describe('operation 20', () => {
  test('returns 200 with the ticket', async () => {
    const { get } = await openWithTickets()
    const reply = await get('/tickets/9410000003')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      srid: '9410000003',
      ticketNumber: '9720000003',
      statusReasonCode: 'COMPLETED',
    })
  })

  test('returns the same 404 for an srid that is unknown, malformed or of another company', async () => {
    const { get } = await openWithTickets()
    const unknown = await get('/tickets/9999999999')
    expectSameRefusal(404, await get('/tickets/9410000005'), unknown)
    expectSameRefusal(404, await get('/tickets/nonsense'), unknown)
  })
})
