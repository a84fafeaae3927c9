import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../helpers/open-with-choices.ts'
import { asErin, asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

const long = 'x'.repeat(201)

test.each([
  [2, `contact/reason/fields?reasonId=${long}`, 404],
  [6, `dealer/customers?firstName=${long}`, 404],
  [11, `dealer/customers/1000000001/product?modelCode=${long}`, 404],
  [12, `dealer/customers/1000000001/products?serialNumber=${long}`, 200],
  [16, 'dealer/schedule?zipCode=7660', 404],
  [16, 'dealer/schedule?type=PIII', 404],
  [17, `dealer/stores?storeId=${long}`, 200],
  [17, `dealer/stores?storePhone=${long}`, 200],
  [19, 'dealer/tickets?statusList=E0009', 200],
  [19, `dealer/tickets?bpNoList=${long}`, 200],
  [24, 'guest/product/validation/nope', 404],
  [25, 'guest/schedule?modelCode=!', 404],
  [25, `guest/schedule?ascCode=${long}`, 404],
  [28, 'guest/symptom/changeColor?modelCode=%3Cb%3E', 404],
])(
  'operation %i with a malformed value (%s) returns %i, or 400 if unusable-values is reject',
  async (_, path, status) => {
    const { app } = buildTestApp()
    const headers = path.startsWith('dealer') ? asErin() : path.startsWith('contact') ? asWeb('web-alice') : asGuest()
    const get = () => app.inject({ url: `/stg/us/${path}`, headers })
    const reply = await get()
    expect(reply.statusCode).toBe(status)
    if (status === 200) expect(reply.json()).toMatchObject({ items: [], totalCount: 0 })
    await rejectUnusableValues(app)
    expect((await get()).statusCode).toBe(400)
  },
)

test.each([
  'dealer/schedule?inWarranty=yes',
  'dealer/schedule?zipCode=07660&zipCode=07661',
  'dealer/stores?pagination=yes',
  'dealer/stores?size=abc',
  'dealer/stores?pageNo=1e3',
  'dealer/tickets?offset=1.5',
])('an invalid boolean or whole number, or a repeated value, returns 400: %s', async (path) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: `/stg/us/${path}&sort.direction=up`, headers: asErin() })
  expect([reply.statusCode, reply.json().error.details.length]).toEqual([400, 1])
})

test.each([
  ['dealer/stores?size=', 'size', '5000000000', 100],
  ['dealer/stores?size=', 'size', '99999999999', 100],
  ['dealer/stores?pageNo=', 'pageNo', '2147483648', 2_147_483_647],
  ['dealer/stores?pageNo=', 'pageNo', '99999999999', 2_147_483_647],
  ['dealer/stores?pageNo=', 'pageNo', '-99999999999', 1],
  ['dealer/tickets?limit=', 'limit', '0', 1],
  ['dealer/tickets?limit=', 'limit', '99999999999', 100],
  ['dealer/tickets?offset=', 'offset', '99999999999', 2_147_483_647],
])(
  'an out-of-range whole number is clamped, or rejected if unusable-values is reject: %s (%s: %s)',
  async (query, ...rest) => {
    const [name, digits, applied] = rest
    const { app } = buildTestApp()
    const get = () => app.inject({ url: `/stg/us/${query}${digits}`, headers: asErin() })
    expect((await get()).json()).toMatchObject({ [name]: applied })
    await rejectUnusableValues(app)
    expect((await get()).statusCode).toBe(400)
  },
)

test('operation 19 ignores an unknown status next to a known one', async () => {
  const { app } = buildTestApp()
  const count = async (query: string) =>
    (await app.inject({ url: `/stg/us/dealer/tickets?${query}`, headers: asErin() })).json().totalCount
  const all = 'statusList=E0001&statusList=E0002&statusList=E0003'
  expect(await count('statusList=E0001&statusList=E0009')).toBe(await count('statusList=E0001'))
  expect(await count('statusList=E0001&statusList=E0002&statusList=E0009')).toBeLessThan(await count(all))
})

test('operation 19 can sort tickets by any text or boolean field of the response', async () => {
  const { app } = buildTestApp()
  const list = async (query: string) => {
    const url = `/stg/us/dealer/tickets?limit=100&${query}`
    return (await app.inject({ url, headers: asErin() })).json().items as Record<string, unknown>[]
  }
  for (const field of ['serialNumber', 'statusDesc', 'ascName', 'inWarranty', 'purchaseDate']) {
    const shown = (await list(`sorts[0].field=${field}`)).map((item) => String(item[field] ?? ''))
    expect([field, shown]).toEqual([field, [...shown].sort()])
  }
  expect(await list('sorts[0].field=customer')).toEqual(await list(''))
  const page = await list('sorts[0].field=serialNumber&sorts[0].direction=desc&statusList=E0003')
  expect(page.every(({ status }) => status === 'E0003')).toBe(true)
})

test('the journal lists parameters whose values were ignored or replaced', async () => {
  const { app } = buildTestApp()
  const ignored = async (path: string) => {
    await app.inject({ url: `/stg/us/dealer/${path}`, headers: asErin() })
    return (await app.inject('/_control/journal?limit=1')).json().entries[0].ignored
  }
  expect(await ignored('stores?size=500&pageNo=0&sort.field=nope&fields=city,nope')).toEqual([
    { name: 'query.sort.field' },
    { name: 'query.pageNo' },
    { name: 'query.size' },
    { name: 'query.fields' },
  ])
  expect(await ignored('schedule?zipCode=1')).toEqual([{ name: 'query.zipCode' }])
  expect(await ignored('stores?size=5&sort.field=city')).toBeUndefined()
  await rejectUnusableValues(app)
  expect(await ignored('stores?size=500')).toBeUndefined()
})
