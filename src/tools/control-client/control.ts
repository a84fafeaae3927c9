import { at, type ControlOptions, toQuery, Transport } from './transport.ts'
import type { Page } from './replies.ts'
import type { Fetch, JournalEntry, OutboxMessage, VendorCloudWorld, WorldOptions } from './world.ts'

// The control API's one client: of the library, of the command line, and of pages in a browser. It imports nothing
// that needs node.

/** Of a server's world; `origin` is where the server's own paths begin, without a slash at the end. */
export function createControl(origin: string, options: ControlOptions = {}): VendorCloudWorld {
  const { world, writeFile } = options
  const transport = new Transport(origin, options)
  const { url } = transport
  const remove = () => transport.call<void>('DELETE', `worlds/${world ?? 'default'}`)
  return {
    url,
    name: world ?? 'default',
    fetch: ((target: string | URL | Request, init?: RequestInit) =>
      transport.fetch(typeof target === 'string' && target.startsWith('/') ? url + target : target, init)) as Fetch,
    ready: () => transport.ready(),
    status: () => transport.get('status'),
    summary: () => transport.get(`worlds/${world ?? 'default'}`),
    snapshot: () => transport.send('GET', 'snapshot'),
    restore: async (snapshot) => void (await transport.send('PUT', 'snapshot', snapshot)),
    reset: () => transport.call('POST', 'reset'),
    coverage: () => transport.get('coverage'),
    examination: {
      read: () => transport.get('examination'),
      publish: (progress) => transport.call('PUT', 'examination', progress),
    },
    recording: {
      start: () => transport.call('POST', 'recordings', {}),
      read: () => transport.send('GET', 'recordings/current'),
      stop: () => transport.call('DELETE', 'recordings/current'),
    },
    async saveCase(file) {
      if (!writeFile) throw new Error('there are no files here: recording.read() gives the case as text')
      await writeFile(file, await transport.send('GET', 'recordings/current'))
    },
    async world(plan: string | WorldOptions = {}) {
      const { record, ...given } = typeof plan === 'string' ? { name: plan } : plan
      const name = given.name ?? newName()
      await transport.call('POST', 'worlds', { ...given, name })
      const made = createControl(origin, { ...options, world: name })
      if (record) await made.recording.start()
      return made
    },
    worlds: () => transport.get('worlds'),
    delete: remove,
    control: (method, path, body) => transport.call(method, path, body),
    [Symbol.asyncDispose]: remove,
    ...createSteering(transport),
    ...createRecorded(transport),
    ...createBusiness(transport),
  }
}

/** Time, devices, and what goes wrong. */
function createSteering(transport: Transport) {
  const call: Transport['call'] = (method, path, body) => transport.call(method, path, body)
  return {
    clock: {
      read: () => transport.get('clock'),
      advance: (duration) => call('POST', 'clock/advance', { duration }),
      set: (now) => call('PUT', 'clock', { now }),
      freeze: (now) => call('PUT', 'clock', { frozen: true, now }),
      unfreeze: () => call('PUT', 'clock', { frozen: false }),
      reset: () => call('DELETE', 'clock'),
    },
    events: {
      emit: (deviceId, change) => call('POST', at`devices/${deviceId}/events`, change),
      health: (deviceId, change) => call('POST', at`devices/${deviceId}/health`, change),
      lifecycle: (deviceId, change) => call('POST', at`devices/${deviceId}/lifecycle`, change),
    },
    faults: {
      add: (fault) => call('POST', 'faults', fault),
      profile: (name) => call('POST', at`faults/profiles/${name}`),
      list: () => transport.get('faults'),
      remove: (faultId) => call('DELETE', at`faults/${faultId}`),
      clear: () => call('DELETE', 'faults'),
    },
    variation: {
      set: (draft = {}) => call('PUT', 'variation', draft),
      read: () => transport.get('variation'),
      end: () => call('DELETE', 'variation'),
    },
    scenarios: {
      start: (draft) => call('POST', 'scenarios', draft),
      list: (paging) => transport.get('scenarios', paging),
      remove: (scenarioId) => call('DELETE', at`scenarios/${scenarioId}`),
      clear: () => call('DELETE', 'scenarios'),
    },
    streams: {
      list: () => transport.get('streams'),
      disturb: (subscriptionId, chaos) => call('POST', at`streams/${subscriptionId}/chaos`, chaos),
    },
  } satisfies Partial<VendorCloudWorld>
}

/** What was asked, answered and sent. */
function createRecorded(transport: Transport) {
  return {
    verify: (match, expectation = {}) => transport.call('POST', 'journal/verify', { match, ...expectation }),
    journal: async (filter) => (await transport.get<{ entries: JournalEntry[] }>('journal', filter)).entries,
    journalEntry: (id) => transport.get(`journal/${id}`),
    journalArchive: (filter = {}) => transport.send('GET', `journal${toQuery({ ...filter, format: 'har' })}`),
    clearJournal: () => transport.call('DELETE', 'journal'),
    watch: (signal) => transport.watch(signal),
    outbox: async (paging = { limit: 100 }) => (await transport.get<Page<OutboxMessage>>('outbox', paging)).items,
    clearOutbox: () => transport.call('DELETE', 'outbox'),
  } satisfies Partial<VendorCloudWorld>
}

/** What the vendor keeps, sells and repairs. */
function createBusiness(transport: Transport) {
  const call: Transport['call'] = (method, path, body) => transport.call(method, path, body)
  return {
    tickets: {
      confirm: (srid) => call('POST', at`tickets/${srid}/confirm`),
      complete: (srid) => call('POST', at`tickets/${srid}/complete`),
    },
    purchases: {
      create: (order) => call('POST', 'purchases', order),
      list: (paging) => transport.get('purchases', paging),
      cancel: (purchaseID, reason) => call('POST', at`purchases/${purchaseID}/cancel`, { reason }),
      payments: (purchaseID, paging) => transport.get(at`purchases/${purchaseID}/payments`, paging),
    },
    tokens: {
      issue: (request) => call('POST', 'tokens', request),
      revoke: (accessToken) => call('DELETE', at`tokens/${accessToken}`),
    },
    slots: (ascCode, query) => transport.get(at`service-centers/${ascCode}/slots`, query),
    wallet: {
      check: (card) => call('POST', 'wallet/check', card),
      certificate: (request) => call('POST', 'wallet/certificates', { request }),
    },
    records: {
      collections: () => transport.get('records'),
      list: (collection, filter) => transport.get(at`records/${collection}`, filter),
      get: (collection, key) => transport.get(at`records/${collection}/${key}`),
      put: (collection, key, record) => call('PUT', at`records/${collection}/${key}`, record),
      delete: (collection, key) => call('DELETE', at`records/${collection}/${key}`),
    },
    image: async (imageId) => {
      const reply = await transport.ask(at`/_control/images/${imageId}`)
      return transport.readBytes(reply)
    },
  } satisfies Partial<VendorCloudWorld>
}

/** Another one in each process too, so that tests that share a server never meet. */
function newName(): string {
  return `w-${crypto.randomUUID()}`
}
