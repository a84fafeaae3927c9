import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestClient } from './clients.ts'

interface Reply {
  status: number
  text: string
}

/** Does what each scenario asks; `flaw` is the one check that it fails. */
export const supportClient: TestClient = async (environment, signal, flaw) => {
  const { VENDOR_CLOUD_URL: url = '', VENDOR_CLOUD_SCENARIO: scenario = '' } = environment
  const has = (name: string) => flaw === name
  const own: Record<string, string> = {
    'request-source': 'vendor.com',
    'vendorus-profId': environment['VENDOR_CLOUD_PROF_ID']!,
    ...(has('sends-one-identity') && { 'vendorus-GUID': environment['VENDOR_CLOUD_GUID']! }),
  }
  const asDealer = { ...own, 'vendorus-profId': environment['VENDOR_CLOUD_DEALER']! }
  const asNobody = has('keeps-identity-from-noauth')
    ? own
    : Object.fromEntries(Object.entries(own).filter(([name]) => name === 'request-source'))

  const ask = async (path: string, headers = own, init: RequestInit = {}): Promise<Reply> => {
    const patience = has('support-takes-http-slow') ? AbortSignal.any([signal, AbortSignal.timeout(60)]) : signal
    const sent = { signal: patience, ...init, headers: { ...headers, ...(init.headers as object) } }
    const reply = await fetch(`${url}/stg/us/${path}`, sent)
    if (has('support-takes-http-chunked') && !reply.headers.has('content-length')) throw new Error('of what length?')
    return { status: reply.status, text: await reply.text() }
  }
  const post = (path: string, body: object, headers = own) => {
    return ask(path, headers, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  }
  const read = (text: string) => readAs(text, flaw)

  /** Until it is answered well: what passes is waited for. */
  async function persist(call: () => Promise<Reply>, gaveUp: boolean): Promise<Reply> {
    for (;;) {
      try {
        const reply = await call()
        if (reply.status < 500 && reply.status !== 429) {
          if (reply.status === 200) JSON.parse(reply.text)
          return reply
        }
        const isHasty = has('honours-retry-after') || has('slows-down')
        if (gaveUp) return reply
        await wait(isHasty ? 10 : 1050, undefined, { signal })
      } catch (error) {
        if (gaveUp || signal.aborted) throw error
        await wait(100, undefined, { signal })
      }
    }
  }

  async function book(): Promise<void> {
    if (has('support-takes-http-case'))
      await expectLowerCase(`${url}/stg/us/instore/noauth/nearest?zipCode=07660`, asNobody)
    const centre = read((await ask('instore/noauth/nearest?zipCode=07660&modelCode=VM-S100', asNobody)).text)
    const slots = async () => {
      const { text } = await ask(`instore/noauth/slots?ascType=WALKIN&ascCode=${centre['ascCode']}`, asNobody)
      const { schedule } = read(text) as unknown as { schedule: { date: string; slots: { startTime: string }[] }[] }
      return schedule.flatMap(({ date, slots: each }) => each.map(({ startTime }) => ({ date, startTime })))
    }
    const symptoms = read((await ask('instore/noauth/symptoms', asNobody)).text) as unknown as {
      symptoms: { symptomId: string }[]
    }
    const free = has('asks-for-slots') ? [{ date: await someDay(), startTime: '10:00' }] : await slots()
    const exists = read((await ask('instore/checkmobile')).text)['exist']
    const draft = ({ date, startTime }: { date: string; startTime: string }) => ({
      ascType: 'WALKIN',
      ascCode: centre['ascCode'],
      appointmentDate: date,
      startTime,
      symptoms: [symptoms.symptoms[0]!.symptomId],
      modelCode: 'VM-S100',
      firstName: 'Al',
      lastName: 'Ice',
      email: 'alice@example.com',
      zipCode: '07660',
      ...(!exists && !has('gives-mobile-number') && { mobilePhone: '201-555-0143' }),
    })
    const first = free.at(-1)!
    if (has('books')) return
    let reply = await post('instore/create', draft(first))
    if (reply.status === 400 && scenario === 'support-book-taken' && !has('takes-another-slot')) {
      const [next] = await slots()
      reply = await post('instore/create', draft(next!))
    }
    if (has('books-once')) await post('instore/create', draft(first))
    if (reply.status === 200) await ask(`instore/detail?srid=${read(reply.text)['srid']}`)
  }

  /** A Wednesday in a week or two, which is no holiday. */
  async function someDay(): Promise<string> {
    const { now } = (await (await fetch(`${url}/_control/clock`, { signal })).json()) as { now: string }
    const day = new Date(Date.parse(now) + 7 * 86_400_000)
    while (day.getUTCDay() !== 3) day.setUTCDate(day.getUTCDate() + 1)
    return day.toISOString().slice(0, 10)
  }

  async function openTicket(): Promise<void> {
    const { text } = await ask('dealer/schedule?modelCode=VM-TV55&zipCode=07660', asDealer)
    const schedule = JSON.parse(text) as {
      ascCode: string
      schedules: { date: string; timeSlots: { slotId: string }[] }[]
    }
    const [day] = schedule.schedules.slice(-1)
    const { text: level1 } = await ask('guest/symptom?subType=TV')
    const [one] = (JSON.parse(level1) as { symptoms: { code: string }[] }).symptoms
    const { text: level2 } = await ask(`guest/symptom?subType=TV&symptomLevel1=${one!.code}`)
    const [two] = (JSON.parse(level2) as { symptoms: { code: string }[] }).symptoms
    const ticket = {
      bpNo: '1000000001',
      modelCode: 'VM-TV55',
      serialNumber: '0TV55XYZ12A',
      serviceType: 'IH',
      symCode1: one!.code,
      symCode2: two!.code,
      problemDescription: 'no picture',
      ascCode: schedule.ascCode,
      appointmentDate: day!.date,
      timeSlot: day!.timeSlots[0]!.slotId,
    }
    try {
      await post('dealer/customers/ticket', ticket, asDealer)
    } catch {
      if (has('does-not-book-twice')) await post('dealer/customers/ticket', ticket, asDealer)
      if (!has('looks-after-lost-answer')) await ask('dealer/tickets?bpNoList=1000000001', asDealer)
    }
  }

  async function listTickets(): Promise<void> {
    for (let offset = 0; ; offset += 20) {
      const { hasMore } = JSON.parse((await ask(`dealer/tickets?limit=20&offset=${offset}`, asDealer)).text) as {
        hasMore: boolean
      }
      if (has('pages-once') && offset === 0) await ask('dealer/tickets?limit=20&offset=0', asDealer)
      if (!hasMore || has('pages-to-the-end')) return
    }
  }

  async function attachImages(): Promise<void> {
    const { text } = await ask('dealer/tickets?bpNoList=1000000001&statusList=E0001', asDealer)
    const [ticket] = (JSON.parse(text) as { items: { srid: string }[] }).items
    const small = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
    const pictures = Array.from({ length: has('sends-four-images') ? 5 : 4 }, () => small)
    if (has('keeps-images-small')) pictures[0] = Buffer.concat([small, Buffer.alloc(6_000_000)])
    for (const picture of pictures) {
      const body = new FormData()
      body.append('imageFile', new Blob([picture]), 'a.gif')
      await ask(`guest/serviceRequest/asset/symptomImage?srid=${ticket!.srid}`, own, { method: 'POST', body })
    }
  }

  const lookUp = (headers: Record<string, string>) => ask('guest/zipCode?zipCode=07660', headers)
  if (has('sends-request-source')) await lookUp({})
  if (has('sends-known-request-source')) await lookUp({ 'request-source': 'browser' })
  if (has('identity-by-origin'))
    await lookUp({ 'request-source': 'vendor.com', 'vendorus-GUID': environment['VENDOR_CLOUD_GUID']! })
  if (has('sends-json-as-json')) await ask('guest/customerFeedback', own, { method: 'POST', body: '{}' })
  for (let i = 0; i < 2 && has('does-not-repeat-refused'); i++) await ask('guest/zipCode?zipCode=00000')
  if (has('asks-known-operations')) await ask('guest/zipcodes?zipCode=07660')
  if (has('sends-valid-input')) await ask('guest/zipCode?zipCode=766')
  if (has('keeps-to-its-scope')) await ask('dealer/stores')
  if (scenario === 'support-ticket-lost') return openTicket()
  if (scenario === 'support-list') return listTickets()
  if (scenario === 'support-images') return attachImages()
  if (scenario === 'support-nothing-there') {
    for (let i = 0; i < (has('takes-no-content') ? 2 : 1); i++) await ask('instore/detail?srid=1234567890')
    return undefined
  }
  const [, operation] = /^support-feedback-(\d+)$/.exec(scenario) ?? []
  if (operation !== undefined) {
    const path = operation === '4' ? 'customerFeedback' : 'guest/customerFeedback'
    await persist(() => post(path, { rating: 5, comment: 'fine' }), has(`keeps-feedback-${operation}`))
    return undefined
  }
  const [, failure] = /^support-lookup-(.+)$/.exec(scenario) ?? []
  if (failure !== undefined) {
    await persist(() => ask('guest/zipCode?zipCode=07660'), has(`survives-${failure}`)).catch((error: unknown) => {
      // It gives up, but it does not break down.
      if (!has(`survives-${failure}`)) throw error
    })
    return undefined
  }
  return book()
}

/** JSON, unless the client is one that makes do with less. */
function readAs(text: string, flaw = ''): Record<string, string> {
  const kind = flaw.replace('support-takes-', '')
  const value = JSON.parse(text) as Record<string, string>
  const names = Object.keys(value)
  if (kind === 'json-extra' && names.some((name) => name.startsWith('further'))) throw new Error('unknown field')
  if (kind === 'json-order' && !['distance', 'symptoms', 'exist', 'ascCode'].includes(names[0]!))
    throw new Error('order')
  if (kind === 'json-space' && /[:,][ \t]|[ \t][}\]]/.test(text)) throw new Error('white space')
  if (kind === 'json-escape' && text.includes('\\')) throw new Error('backslash')
  return value
}

async function expectLowerCase(address: string, headers: Record<string, string>): Promise<void> {
  const [reply] = (await once(get(address, { headers }), 'response')) as [IncomingMessage]
  reply.resume()
  if (!reply.rawHeaders.includes('content-type')) throw new Error('no content-type')
}
