export interface FurnishedWorld {
  path: string
  /** ID of the journal entry of a rejected request, for the screenshot of an error. */
  refusedEntry: number
  messageId: string
  srid: string
  stirDevices(): Promise<void>
  leave(): Promise<unknown>
}

/** Creates a world at a fixed time that already contains some activity. */
export async function furnish(url: string, picture: Uint8Array<ArrayBuffer>): Promise<FurnishedWorld> {
  const path = '/w/demo'
  const base = url + path
  const json = { 'content-type': 'application/json' }
  const alice = { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice' }

  async function ask<T>(method: string, address: string, body?: unknown, headers: Record<string, string> = alice) {
    const reply = await fetch(address, {
      method,
      headers: { ...headers, ...(typeof body === 'object' && json) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    return (text.startsWith('{') ? JSON.parse(text) : text) as T
  }

  await ask('POST', `${url}/_control/worlds`, { name: 'demo', seed: 'demo', now: '2026-05-06T16:00:00Z' })
  await ask('POST', `${url}/_control/worlds`, { name: 'nightly', seed: 'nightly', expiresIn: 86_400 })
  await ask('PUT', `${base}/_control/clock`, { frozen: true })

  const created: { srid: string }[] = []
  for (const startTime of ['10:00', '11:30', '10:00', '15:00']) {
    created.push(await ask('POST', `${base}/stg/us/instore/create`, inStoreBody(startTime), users[created.length]))
  }
  const srid = created[0]!.srid
  const form = new FormData()
  form.append('imageFile', new Blob([picture], { type: 'image/png' }), 'cracked-glass.png')
  await fetch(`${base}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`, {
    method: 'POST',
    headers: users[0]!,
    body: form,
  })
  await ask('POST', `${base}/_control/tickets/${srid}/confirm`)

  await ask('POST', `${base}/_control/faults`, { match: { operation: 30 }, respond: { status: 503 }, times: 3 })
  await ask('POST', `${base}/_control/faults`, {
    match: { soapOperation: 'getSubscriptionStatus' },
    respond: { fault: 301 },
    probability: 0.25,
  })
  await ask('POST', `${base}/_control/faults`, { match: { path: '/wallet/*' }, delayMs: 800 })
  for (const zipCode of ['07660', '10001', '90001', '33101']) {
    await ask('GET', `${base}/stg/us/guest/zipCode?zipCode=${zipCode}`)
  }
  await ask('GET', `${base}/stg/us/guest/zipCode?zipCode=00000`)
  await ask('POST', `${base}/iap/ws/RTCService`, soapCall, { 'content-type': 'text/xml; charset=utf-8' })
  await ask('GET', `${base}/stg/us/instore/detail?srid=${srid}`, undefined, users[0]!)
  await ask('GET', `${base}/stg/us/instore/detail?srid=${srid}`)
  await ask('GET', `${base}/stg/us/instore/noauth/slots?ascCode=ASC001&ascType=WALKIN`)
  await ask('POST', `${base}/stg/us/instore/create`, { ...inStoreBody('25:00'), zipCode: '7660', symptoms: [] })

  const { entries } = await ask<{ entries: { id: number; status?: number }[] }>('GET', `${base}/_control/journal`)
  const { items } = await ask<{ items: { messageId: string }[] }>('GET', `${base}/_control/outbox`)
  return {
    path,
    refusedEntry: entries.find(({ status }) => status === 400)!.id,
    messageId: items[0]!.messageId,
    srid,
    async stirDevices() {
      for (const [device, capability, attribute, value] of reports) {
        const address = `${base}/_control/devices/aaaaaaaa-0000-4000-8000-00000000000${device}/events`
        await ask('POST', address, { capability, attribute, value })
      }
    },
    leave: () => ask('DELETE', `${url}/_control/worlds/demo`),
  }
}

const web = (profId: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profId })
const app = (guid: string) => ({ 'request-source': 'splus', 'vendorus-GUID': guid })

/** Each user may have only one booking at a time. */
const users = [app('splus-carol'), web('web-alice'), app('voyager-dave'), web('web-bob')]

const reports = [
  [1, 'switch', 'switch', 'on'],
  [2, 'motionSensor', 'motion', 'active'],
  [3, 'temperatureMeasurement', 'temperature', 21.8],
  [4, 'contactSensor', 'contact', 'open'],
  [2, 'motionSensor', 'motion', 'inactive'],
  [4, 'contactSensor', 'contact', 'closed'],
  [3, 'temperatureMeasurement', 'temperature', 22.1],
  [1, 'switch', 'switch', 'off'],
] as const

function inStoreBody(startTime: string) {
  return {
    ascType: 'WALKIN',
    ascCode: 'ASC001',
    appointmentDate: '2026-05-08',
    startTime,
    symptoms: ['IS10'],
    modelCode: 'VM-S100',
    firstName: 'Carol',
    lastName: 'Baker',
    email: 'carol@example.com',
    zipCode: '07660',
    mobilePhone: '201-555-0143',
    problemDescription: 'The glass is cracked after a fall.',
  }
}

const soapCall = `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"
    xmlns:ws="http://ws.iap.vendor.com/">
<soapenv:Body><ws:createServiceToken><secret>123456789012</secret></ws:createServiceToken>
</soapenv:Body></soapenv:Envelope>`
