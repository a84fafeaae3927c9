/**
 * A client whose author used only docs/examine.md, the documents and the tasks of the scenarios. Of vendor-cloud, it
 * uses only the environment variables. Usage: `vendor-cloud examine -- node page-client.mjs`
 */
import http from 'node:http'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

const env = process.env
const base = env.VENDOR_CLOUD_URL
const scenario = env.VENDOR_CLOUD_SCENARIO ?? ''

function exchange(method, address, headers = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const own = { 'Accept-Encoding': 'gzip', ...length }
    const call = http.request(address, { method, headers: { ...headers, ...own }, agent: false }, (reply) => {
      const pieces = []
      const unpack = reply.headers['content-encoding'] === 'gzip' ? gunzipSync : (bytes) => bytes
      reply.on('data', (piece) => pieces.push(piece))
      reply.on('error', reject)
      reply.on('end', () =>
        resolve({
          status: reply.statusCode,
          headers: reply.headers,
          text: unpack(Buffer.concat(pieces)).toString('utf8'),
        }),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}

const seconds = (headers) => Number(headers['retry-after'] ?? 0) * 1000

/** Retries until the response is usable. A request that may already have been executed is not repeated. */
async function persist(ask, { safe, tries = 6, usable }) {
  for (let failures = 1; ; failures++) {
    let wait = 200 * 2 ** failures
    try {
      const reply = await ask()
      if (reply.status < 500 && reply.status !== 429) return usable ? { ...reply, value: usable(reply) } : reply
      if (!safe && reply.status !== 503 && reply.status !== 429) return reply
      wait = Math.max(wait, seconds(reply.headers))
      if (failures === tries) return reply
    } catch (error) {
      if (!safe || failures === tries) throw error
    }
    await sleep(wait)
  }
}

// ---- support -----------------------------------------------------------------------------------------------------

const user = { 'request-source': 'vendor.com', 'vendorus-profId': env.VENDOR_CLOUD_PROF_ID }
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': env.VENDOR_CLOUD_DEALER }
const nobody = { 'request-source': 'vendor.com' }
const toJson = ({ status, text }) => (status === 204 || text === '' ? undefined : JSON.parse(text))

async function call(who, method, path, body) {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const ask = () => exchange(method, `${base}/stg/us${path}`, { ...who, ...json }, text)
  const act = () => persist(ask, { safe: method === 'GET', usable: toJson })
  const reply = await act()
  if (reply.status !== 401) return reply
  const identity = `profile:${who['vendorus-profId']}`
  await exchange(
    'POST',
    `${base}/_control/sessions`,
    { 'Content-Type': 'application/json' },
    JSON.stringify({ identity }),
  )
  return act()
}
const get = async (who, path) => (await call(who, 'GET', path)).value

async function bookVisit() {
  const { ascType, ascCode } = await get(nobody, '/instore/noauth/nearest?zipCode=07660&modelCode=VM-S100')
  const { symptoms } = await get(nobody, '/instore/noauth/symptoms')
  const { exist } = await get(user, '/instore/checkmobile')
  const taken = new Set()
  for (;;) {
    const { schedule } = await get(nobody, `/instore/noauth/slots?ascType=${ascType}&ascCode=${ascCode}`)
    const free = schedule.flatMap(({ date, slots }) => slots.map(({ startTime }) => [date, startTime]))
    const slot = free.find((each) => !taken.has(each.join()))
    if (!slot) return
    taken.add(slot.join())
    const [appointmentDate, startTime] = slot
    const { status, value } = await call(user, 'POST', '/instore/create', {
      ascType,
      ascCode,
      appointmentDate,
      startTime,
      symptoms: [symptoms[0].symptomId],
      modelCode: 'VM-S100',
      firstName: 'Al',
      lastName: 'Ice',
      email: 'al@example.com',
      zipCode: '07660',
      ...(!exist && { mobilePhone: '201-555-0143' }),
    })
    if (status < 300) {
      if (scenario === 'support-cancel') await call(user, 'DELETE', `/instore/cancel?srid=${value.srid}`)
      return get(user, `/instore/detail?srid=${value.srid}`)
    }
    const codes = [value.error.code, ...value.error.details.map(({ code }) => code)]
    if (!codes.includes('SlotUnavailable')) return
  }
}

async function openTicket() {
  const first = await get(user, '/guest/symptom?subType=TV')
  const symCode1 = first.symptoms[0].code
  const second = await get(user, `/guest/symptom?subType=TV&symptomLevel1=${symCode1}`)
  const found = await get(dealer, '/dealer/schedule?zipCode=07660&modelCode=VM-TV55')
  const slots = found.schedules.flatMap(({ date, slots }) => slots.map((slot) => ({ ...slot, date })))
  const { slotId, date } = slots.findLast(({ available }) => available)
  const ticket = {
    bpNo: '1000000001',
    modelCode: 'VM-TV55',
    serialNumber: '0TV55XYZ12A',
    serviceType: 'IH',
    symCode1,
    symCode2: second.symptoms[0].code,
    problemDescription: 'it stays dark',
    ascCode: found.ascCode,
    appointmentDate: date,
    timeSlot: slotId,
  }
  try {
    await call(dealer, 'POST', '/dealer/customers/ticket', ticket)
  } catch {
    const mine = await readAll('/dealer/tickets?bpNoList=1000000001&statusList=E0001')
    const isThere = mine.some(({ serialNumber, appointment }) => {
      return serialNumber === ticket.serialNumber && appointment?.date === date
    })
    if (!isThere) await call(dealer, 'POST', '/dealer/customers/ticket', ticket)
  }
}

/** Reads pages until one is not full, whatever total the list reported earlier. */
async function readAll(path) {
  const all = new Map()
  const limit = 50
  for (let offset = 0; ; offset += limit) {
    const page = await get(dealer, `${path}${path.includes('?') ? '&' : '?'}offset=${offset}&limit=${limit}`)
    for (const item of page.items) all.set(item.srid, item)
    if (page.items.length < limit) return [...all.values()]
  }
}

const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

async function attach(images) {
  const [ticket] = await readAll('/dealer/tickets?bpNoList=1000000001&statusList=E0001')
  for (const image of images.filter(({ length }) => length < 5_000_000).slice(0, 4)) {
    const send = () => {
      const head = 'Content-Disposition: form-data; name="imageFile"; filename="a.gif"\r\nContent-Type: image/gif'
      const parts = [Buffer.from(`--edge\r\n${head}\r\n\r\n`), image, Buffer.from('\r\n--edge--\r\n')]
      const headers = { ...nobody, 'Content-Type': 'multipart/form-data; boundary=edge' }
      const path = `/guest/serviceRequest/asset/symptomImage?srid=${ticket.srid}`
      return exchange('POST', `${base}/stg/us${path}`, headers, Buffer.concat(parts))
    }
    try {
      await send()
    } catch {
      const { images: there } = await get(dealer, `/dealer/tickets/${ticket.srid}`)
      if (there.length === 0) await send()
    }
  }
}

async function support() {
  const feedback = { rating: 4, comment: 'quick' }
  if (scenario === 'support-ticket-lost') return openTicket()
  if (scenario === 'support-list') return readAll('/dealer/tickets')
  if (scenario === 'support-nothing-there') return get(user, '/instore/detail?srid=1234567890')
  if (scenario === 'support-images') return attach([Buffer.alloc(6_000_000), ...Array(5).fill(GIF)])
  if (scenario === 'support-image-lost') return attach([GIF])
  if (scenario === 'support-feedback-4') return call(user, 'POST', '/customerFeedback', feedback)
  if (scenario === 'support-feedback-22') return call(nobody, 'POST', '/guest/customerFeedback', feedback)
  if (scenario.startsWith('support-lookup-') || scenario === 'support-maintenance')
    return get(nobody, '/guest/zipCode?zipCode=07660')
  return bookVisit()
}

// ---- wallet ------------------------------------------------------------------------------------------------------

async function wallet() {
  const check = async (modelName) => {
    const path = `/wallet/cmn/v2.0/device/available?modelName=${modelName}&serviceType=WALLET`
    const ask = () => exchange('GET', base + path, { partnerCode: env.VENDOR_CLOUD_PARTNER_CODE })
    return (await persist(ask, { safe: true, tries: 4, usable: toJson })).value
  }
  const first = await check('VM-S100')
  if (first?.available || first?.resultCode === 'CMN1N1002') await check('VM-S200')
}

// ---- billing -----------------------------------------------------------------------------------------------------

const decode = (text) =>
  text
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part) => {
      if (part.startsWith('<![CDATA[')) return part.slice(9, -3)
      return part.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi, (_, hex, decimal, name) => {
        if (name) return { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }[name]
        return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
      })
    })
    .join('')

function element(xml, name) {
  const found = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:[\\w.-]+:)?${name}\\s*>`).exec(xml)
  return found ? decode(found[1]) : undefined
}

async function soap(operation, inputs) {
  const children = Object.entries(inputs).map(([name, value]) => `<${name}>${value}</${name}>`)
  const message = `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
<v:${operation} xmlns:v="http://ws.iap.vendor.com/">${children.join('')}</v:${operation}>
</s:Body></s:Envelope>`
  const headers = { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' }
  const reply = await exchange('POST', `${base}/iap/ws/RTCService?wsdl`, headers, message)
  const isXml = reply.headers['content-type']?.startsWith('text/xml')
  return { ...reply, code: isXml ? element(reply.text, 'errorCode') : undefined }
}

async function billing() {
  let token
  let isFresh = false
  let failures = 0
  for (;;) {
    let reply
    try {
      const isToken = token === undefined
      const inputs = isToken
        ? { secret: env.VENDOR_CLOUD_SELLER_SECRET }
        : { purchaseID: env.VENDOR_CLOUD_PURCHASE_ID, serviceToken: token }
      reply = await soap(isToken ? 'createServiceToken' : 'getSubscriptionStatus', inputs)
      if (reply.status === 200) {
        failures = 0
        isFresh = isToken
        if (isToken) {
          token = element(reply.text, 'output')
          continue
        }
        if (element(reply.text, 'subscriptionStatus') === 'CANCEL') {
          const end = Date.parse(`${element(reply.text, 'subscriptionEndDate').replace(' ', 'T')}Z`)
          const { now } = JSON.parse((await exchange('GET', `${base}/_control/clock`)).text)
          if (end <= Date.parse(now)) return
        }
        await sleep(250)
        continue
      }
      if (reply.code === '301' && !isFresh) {
        token = undefined
        continue
      }
      if (reply.code !== undefined && reply.code !== '-1') return
    } catch {
      // The request is retried below.
    }
    failures++
    await sleep(Math.max(Math.min(150 * 2 ** failures, 30_000), reply ? seconds(reply.headers) : 0))
  }
}

// ---- events ------------------------------------------------------------------------------------------------------

async function events() {
  let token = env.VENDOR_CLOUD_TOKEN
  let subscription
  let lastId
  let retry = 1000
  let failures = 0
  const renew = async () => {
    const body = JSON.stringify({
      user: 'alice-home',
      scopes: ['r:locations:*'],
      locations: ['11111111-0000-4000-8000-000000000001'],
      expiresIn: 3600,
    })
    const reply = await exchange('POST', `${base}/_control/tokens`, { 'Content-Type': 'application/json' }, body)
    token = JSON.parse(reply.text).accessToken
  }
  const bearer = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' })
  const filter = { type: 'LOCATIONIDS', value: ['ALL'] }
  const wanted = JSON.stringify({ name: 'page', version: 1, subscriptionFilters: [filter] })
  for (;;) {
    let wait = retry
    try {
      if (!subscription) {
        const reply = await exchange('POST', `${base}/subscriptions`, bearer(), wanted)
        if (reply.status === 401) {
          await renew()
          continue
        }
        if (reply.status !== 200) throw new Error(`no subscription: ${reply.status}`)
        subscription = JSON.parse(reply.text)
        lastId = undefined
      }
      const { status, headers } = await follow(subscription.registrationUrl, lastId, {
        onRetry: (ms) => {
          retry = ms
        },
        onEvent: async ({ type, data, id }) => {
          failures = 0
          if (id !== undefined) lastId = id
          if (type === 'CONTROL_EVENT' && data === 'goodbye') subscription = undefined
          if (type === 'CONTROL_EVENT' && data === 'gap') {
            await exchange('GET', `${base}/subscriptions/${subscription.subscriptionId}`, bearer())
          }
          if (type === 'DEVICE_EVENT') JSON.parse(data)
        },
      })
      if (status === 204) return
      if ([401, 404, 410].includes(status)) subscription = undefined
      else if (status !== 200) {
        failures++
        wait = Math.max(retry * 2 ** (failures - 1), seconds(headers))
      }
    } catch {
      failures++
      wait = Math.min(Math.max(retry, retry * 2 ** (failures - 1)), 30_000)
    }
    await sleep(wait)
  }
}

/** Follows one connection until it ends. Rejects if it breaks, or if nothing arrives for three heartbeats. */
function follow(address, lastId, { onRetry, onEvent }) {
  return new Promise((resolve, reject) => {
    const resume = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
    const headers = { Accept: 'text/event-stream', ...resume }
    const connection = http.get(address, { headers, agent: false }, (reply) => {
      const { statusCode: status } = reply
      if (status !== 200) {
        reply.resume()
        return resolve({ status, headers: reply.headers })
      }
      const read = createReader(onRetry, onEvent)
      reply.setEncoding('utf8')
      reply.setTimeout(3000 * Number(env.HEARTBEAT_SECONDS ?? 20), () => reply.destroy(new Error('silent')))
      reply.on('data', read)
      reply.on('error', reject)
      reply.on('end', () => resolve({ status, headers: reply.headers }))
    })
    connection.on('error', reject)
  })
}

/** Parses a stream one character at a time (HTML Standard, section 9.2.6). */
function createReader(onRetry, onEvent) {
  let isFirst = true
  let wasCr = false
  let line = ''
  let event = {}
  const endLine = () => {
    if (line === '') {
      if (event.data !== undefined) void onEvent({ type: event.type ?? 'message', data: event.data, id: event.id })
      event = {}
    } else if (!line.startsWith(':')) {
      const at = line.includes(':') ? line.indexOf(':') : line.length
      const name = line.slice(0, at)
      const value = line.slice(at + 1).replace(/^ /, '')
      if (name === 'event') event.type = value
      if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`
      if (name === 'id') event.id = value
      if (name === 'retry' && /^\d+$/.test(value)) onRetry(Number(value))
    }
    line = ''
  }
  return (text) => {
    for (const character of text) {
      if (isFirst && character === '\uFEFF') {
        isFirst = false
        continue
      }
      isFirst = false
      if (character === '\n' && wasCr) {
        wasCr = false
        continue
      }
      wasCr = character === '\r'
      if (character === '\r' || character === '\n') endLine()
      else line += character
    }
  }
}

await { support, wallet, billing, events }[scenario.split('-')[0]]()
