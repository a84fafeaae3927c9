import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

const url = '/_control/records/partners'
const names = (reply: { json(): { items: { partnerCode: string }[] } }) =>
  reply.json().items.map((each) => each.partnerCode)

test('the records of a collection are listed by key, in pages', async () => {
  const { app, store } = buildTestApp()
  await store.transaction((tx) => tx.partners.put({ partnerCode: 'aaa', name: 'First' }))
  const reply = await app.inject(`${url}?limit=1`)
  expect([names(reply), reply.json().totalCount]).toEqual([['aaa'], await store.partners.count()])
  expect(names(await app.inject(`${url}?limit=1&offset=1`))).not.toContain('aaa')
})

test('records can be filtered by their key and by indexed fields of any type', async () => {
  const { app, store } = buildTestApp()
  const list = async (query: string) => (await app.inject(`/_control/records/${query}`)).json()
  expect((await list('tickets?companyId=C100&status=E0001')).totalCount).toBe(
    await store.tickets.count({ companyId: 'C100', status: 'E0001' }),
  )
  expect((await list('tickets?companyId=C100&status=E0001&status=E0002')).totalCount).toBe(
    await store.tickets.count({ companyId: 'C100', status: ['E0001', 'E0002'] }),
  )
  const level = (await list('symptoms?subType=TV&level=1')).items
  expect(level.length).toBeGreaterThan(0)
  for (const each of level) expect(each.level).toBe(1)
  expect((await list('partners?partnerCode=partner-1001')).totalCount).toBe(1)
})

test('filtering records by an unknown field returns 400 with the list of filters', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject('/_control/records/tickets?color=red&limit=1000')
  expect(reply.statusCode).toBe(400)
  expect((await app.inject('/_control/records/tickets?color=red')).json().error.details).toEqual([
    expect.objectContaining({ target: 'query.color', message: expect.stringContaining('srid, companyId, status') }),
  ])
})

test('an unknown collection or record returns 404', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject('/_control/records/teapots')
  expect([reply.statusCode, reply.json().error.message]).toEqual([404, expect.stringContaining('profiles, customers')])
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await app.inject({ method, url: `${url}/nobody` })).statusCode).toBe(404)
  }
})

test('a record can be put, read and deleted with its null and empty fields', async () => {
  const { app, store } = buildTestApp()
  const [ticket] = await store.tickets.find({ limit: 1 })
  const at = `/_control/records/tickets/${ticket!.srid}`
  const payload = { ...ticket!, symptoms: [{ level: 1, code: 'X', name: '' }] }
  const reply = await app.inject({ method: 'PUT', url: at, payload })
  expect([reply.statusCode, reply.json()]).toEqual([200, payload])
  expect(payload.history[0]!.from).toBeNull()
  expect(await store.tickets.get(ticket!.srid)).toEqual(payload)
  expect((await app.inject({ method: 'DELETE', url: at })).statusCode).toBe(204)
  expect((await app.inject(at)).statusCode).toBe(404)
})

test('null and empty values of optional fields count as absent', async () => {
  const { app, store } = buildTestApp()
  const customer = (await store.customers.get('1000000001'))!
  const put = (change: object) =>
    app.inject({ method: 'PUT', url: '/_control/records/customers/1000000001', payload: { ...customer, ...change } })
  await put({ address2: 'Floor 2', mobilePhone: customer.phoneNumber })
  const cleared = await put({ address2: null, mobilePhone: '', nickname: null })
  expect([cleared.statusCode, cleared.json()]).toEqual([200, customer])
  const refused = (await put({ city: null })).json()
  expect(refused.error.details).toMatchObject([{ target: 'body.city', code: 'MissingParameter' }])
  expect(await store.customers.get('1000000001')).toEqual(customer)
})

test('a record that does not match its schema returns 400 with every error', async () => {
  const { app, store } = buildTestApp()
  const before = await store.stores.count()
  const reply = await app.inject({
    method: 'PUT',
    url: '/_control/records/stores/S1',
    payload: { storeId: 'S2', lat: 'x' },
  })
  expect(reply.statusCode).toBe(400)
  const targets = reply.json().error.details.map(({ target }: { target: string }) => target)
  expect(targets).toEqual(expect.arrayContaining(['body.storeId', 'body.lat', 'body.storeName']))
  expect(await store.stores.count()).toBe(before)
})

test('a record with an unknown field at any depth returns 400 with a suggestion', async () => {
  const { app, store } = buildTestApp()
  const [ticket] = await store.tickets.find({ where: { status: 'E0002' }, limit: 1 })
  const payload = { ...ticket!, modelCod: 'X', appointment: { ...ticket!.appointment!, startTme: '10:00' } }
  const url = `/_control/records/tickets/${ticket!.srid}`
  const reply = await app.inject({ method: 'PUT', url, payload })
  expect([reply.statusCode, reply.json().error.details]).toMatchObject([
    400,
    [
      { target: 'body.appointment', message: expect.stringContaining('no field startTme; the nearest is startTime') },
      { target: 'body', message: expect.stringContaining('no field modelCod; the nearest is modelCode') },
    ],
  ])
  expect(await store.tickets.get(ticket!.srid)).toEqual(ticket)
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`further${i}`, i]))
  const lots = await app.inject({ method: 'PUT', url, payload: { ...ticket!, ...many } })
  expect([lots.statusCode, lots.json().error.details.length]).toEqual([400, 20])
})

test('a record body that is not JSON or not an object returns 400', async () => {
  const { app } = buildTestApp()
  for (const payload of ['{', '[]', '"text"', '']) {
    expect((await app.inject({ method: 'PUT', url: `${url}/p`, payload })).statusCode).toBe(400)
  }
})

test('a record gets its key from the path, and a duplicate unique value returns 409', async () => {
  const { app, store } = buildTestApp()
  expect((await app.inject({ method: 'PUT', url: `${url}/new%20one`, payload: { name: 'New' } })).json()).toEqual({
    partnerCode: 'new one',
    name: 'New',
  })
  const [first] = await store.tickets.find({ limit: 1 })
  const payload = { ...first!, srid: '9999999999' }
  expect((await app.inject({ method: 'PUT', url: '/_control/records/tickets/9999999999', payload })).statusCode).toBe(
    409,
  )
})
