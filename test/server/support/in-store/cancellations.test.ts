import { expect, test } from 'vitest'
import { confirmTicket } from '../../../../src/server/control/tickets.ts'
import { asGuest } from '../../../helpers/build-test-app.ts'
import { expectSameRefusal } from '../../../helpers/documents/dealer-portal.ts'
import { asNed, asNell, buildInStoreApp } from '../../../helpers/documents/in-store.ts'
import { newTicket } from '../../../helpers/records.ts'

/** Creates a request and reads the key from its email. Operation 35 requires this key. */
async function buildWithMail() {
  const test = await buildInStoreApp()
  const srid = await test.createdSrid()
  const [mail] = await test.store.outbox.find({ where: { srid } })
  const link = new URL(mail!.links[0]!.href)
  const cancelByMail = (query: Record<string, string>) =>
    test.app.inject({ method: 'DELETE', url: '/stg/us/instore/noauth/emailcancel', query, headers: asGuest() })
  return { ...test, srid, key: link.searchParams.get('key')!, link, cancelByMail, mail: mail! }
}

test('operation 31 returns 200, cancels an open or confirmed request and releases its slot', async () => {
  const test = await buildInStoreApp()
  for (const confirm of [false, true]) {
    const srid = await test.createdSrid()
    if (confirm) await confirmTicket(test, srid)
    const reply = await test.cancel({ srid, remoteId: 'x' })
    expect([reply.statusCode, reply.json()]).toEqual([200, { cancelled: true }])
    expect(await test.store.bookings.count({ srid })).toBe(0)
    const kept = await test.store.inStoreRequests.get(srid)
    expect(kept).toMatchObject({ status: 'E0003', statusReasonCode: 'CANCELLED', appointment: { status: 'CANCELLED' } })
  }
})

test('operation 31 returns 200 with cancelled: false for a closed request or started appointment', async () => {
  const { cancel, createdSrid, clock, detail } = await buildInStoreApp()
  const closed = await createdSrid()
  await cancel({ srid: closed })
  expect((await cancel({ srid: closed })).json()).toEqual({ cancelled: false })
  const srid = await createdSrid()
  clock.set('2026-05-08T13:00:00.000Z')
  const reply = await cancel({ srid })
  expect([reply.statusCode, reply.json()]).toEqual([200, { cancelled: false }])
  expect((await detail({ srid })).json().status).toBe('E0001')
})

test('operation 31 stores the remoteId even if nothing is cancelled, and operation 34 returns it', async () => {
  const { cancel, createdSrid, detail } = await buildInStoreApp()
  const srid = await createdSrid({ remoteId: 'r-1' })
  const kept = async () => (await detail({ srid, sc4uObjectId: 'anything' })).json().remoteId
  expect(await kept()).toBe('r-1')
  await cancel({ srid })
  expect(await kept()).toBe('r-1')
  expect((await cancel({ srid, remoteId: 'r-2' })).json()).toEqual({ cancelled: false })
  expect(await kept()).toBe('r-2')
  const another = await createdSrid()
  expect((await cancel({ srid: another, remoteId: 'r-3' })).json()).toEqual({ cancelled: true })
  expect((await detail({ srid: another })).json()).toMatchObject({ status: 'E0003', remoteId: 'r-3' })
})

test('operation 31 returns 400 for a missing or malformed srid', async () => {
  const { cancel } = await buildInStoreApp()
  for (const srid of ['', '123', 'abcdefghij']) expect((await cancel({ srid })).statusCode, srid).toBe(400)
})

test("operation 31 returns the same 404 for unknown srids, other users' requests and dealer tickets", async () => {
  const { cancel, createdSrid, store } = await buildInStoreApp()
  await store.transaction((tx) => tx.tickets.put(newTicket()))
  const unknown = await cancel({ srid: '1234567890' })
  expectSameRefusal(404, unknown, await cancel({ srid: await createdSrid() }, asNell()))
  expectSameRefusal(404, unknown, await cancel({ srid: '9410000001' }))
})

test('the email for an in-store request contains a cancellation link whose key is not stored', async () => {
  const { mail, link, key, srid, store } = await buildWithMail()
  expect(mail).toMatchObject({ channel: 'EMAIL', to: 'ned@example.com', srid })
  expect([link.pathname, link.searchParams.get('srid')]).toEqual(['/cancel', srid])
  // Twenty-two letters and digits can represent 130 bits.
  expect(key).toMatch(/^[A-Za-z0-9]{22,}$/)
  const { href } = mail.links[0]!
  expect(mail.text).toContain(href)
  expect(mail.html).toContain(href.replace('&', '&#38;'))
  expect(JSON.stringify(await store.inStoreRequests.get(srid))).not.toContain(key)
})

test('names in an HTML email are escaped', async () => {
  const { createdSrid, store } = await buildInStoreApp()
  const srid = await createdSrid({ firstName: '<img src=x onerror="a">&' })
  const [mail] = await store.outbox.find({ where: { srid } })
  expect(mail!.html).not.toContain('<img')
  expect(mail!.html).toContain('&#60;img src=x onerror=&#34;a&#34;&#62;&#38;')
})

test("the cancellation link starts with the host of the request and its world's prefix", async () => {
  const { app, worlds } = await buildInStoreApp()
  await worlds.create({ name: 'elsewhere', seed: 'x' })
  const slots = await app.inject({
    url: '/w/elsewhere/stg/us/instore/noauth/slots?ascType=WALKIN&ascCode=ASC001',
    headers: asGuest(),
  })
  const { date, slots: times } = slots.json().schedule[1]
  const body = { ascType: 'WALKIN', ascCode: 'ASC001', appointmentDate: date, startTime: times[0].startTime }
  const person = {
    firstName: 'B',
    lastName: 'C',
    email: 'b@example.com',
    zipCode: '07660',
    mobilePhone: '201-555-0143',
  }
  const reply = await app.inject({
    method: 'POST',
    url: '/w/elsewhere/stg/us/instore/create',
    headers: { ...asNed(), 'vendorus-profId': 'web-bob', host: 'vendor.test:8080' },
    payload: { ...body, ...person, symptoms: ['IS01'], modelCode: 'VM-S100' },
  })
  const { srid } = reply.json()
  const [mail] = await worlds.find('elsewhere')!.store.outbox.find({ where: { srid } })
  expect(mail!.links[0]!.href).toMatch(new RegExp(`^http://vendor\\.test:8080/w/elsewhere/cancel\\?srid=${srid}&key=`))
})

test('operation 35 returns 200 with cancelled: true only once for the key in the email', async () => {
  const { cancelByMail, srid, key, store } = await buildWithMail()
  const reply = await cancelByMail({ srid, key })
  expect([reply.statusCode, reply.json()]).toEqual([200, { cancelled: true }])
  expect(await store.bookings.count({ srid })).toBe(0)
  const again = await cancelByMail({ srid, key })
  expect([again.statusCode, again.json()]).toEqual([200, { cancelled: false }])
})

test('for 20 parallel requests, operation 35 cancels only once', async () => {
  const { cancelByMail, srid, key } = await buildWithMail()
  const replies = await Promise.all(Array.from({ length: 20 }, () => cancelByMail({ srid, key })))
  expect(replies.filter((reply) => reply.json().cancelled)).toHaveLength(1)
})

test('operation 35 returns the same 404 for a wrong key and an unknown srid', async () => {
  const { cancelByMail, srid, key, cancel } = await buildWithMail()
  const unknown = await cancelByMail({ srid: '1234567890', key })
  for (const wrong of ['wrong', key.toLowerCase(), key.repeat(100)]) {
    expectSameRefusal(404, unknown, await cancelByMail({ srid, key: wrong }))
  }
  await cancel({ srid })
  expectSameRefusal(404, unknown, await cancelByMail({ srid, key: 'wrong' }))
})

test('operation 35 returns 200 with cancelled: false if the request cannot be cancelled', async () => {
  const { cancelByMail, srid, key, clock, cancel, ...test } = await buildWithMail()
  const press = async () => {
    const reply = await cancelByMail({ srid, key })
    return [reply.statusCode, reply.json()]
  }
  const tooLate = [200, { cancelled: false }]
  clock.set('2026-05-08T13:00:00.000Z')
  expect(await press()).toEqual(tooLate)
  clock.set('2026-05-09T14:00:00.000Z')
  expect(await press()).toEqual(tooLate)
  clock.set('2026-05-08T12:00:00.000Z')
  await confirmTicket({ clock, ...test }, srid)
  clock.set('2026-05-08T15:00:00.000Z')
  expect(await press()).toEqual(tooLate)
  clock.set('2026-05-08T12:00:00.000Z')
  await cancel({ srid })
  expect(await press()).toEqual(tooLate)
})

test('operation 35 returns 400 with all errors for a malformed srid and a missing key', async () => {
  const { cancelByMail } = await buildWithMail()
  const reply = await cancelByMail({ srid: '12', key: '' })
  expect(reply.statusCode).toBe(400)
  const { details } = reply.json().error as { error: unknown; details: { target: string }[] }
  expect(details.map(({ target }) => target)).toEqual(['query.srid', 'query.key'])
})

test('no response to a cancellation by email contains the key of the link', async () => {
  const { app, cancelByMail, srid, key, link } = await buildWithMail()
  await app.inject(link.pathname + link.search)
  const replies = [await cancelByMail({ srid, key }), await cancelByMail({ srid, key })]
  for (const { body } of replies) expect(body).not.toContain(key)
})
