import type { Body, Params, Query, Reply } from '#contract/control/calls.ts'
import { type ControlOperation, controlRoutes } from '#contract/control/routes.ts'
import { UnexpectedRequests } from './expected-requests.ts'
import { Transport } from './transport.ts'
import type { ControlOptions } from './options.ts'
import type { WorldOptions } from './inputs.ts'
import type { Fetch, VendorCloudWorld } from './world.ts'

// The library, the command line and pages in a browser share this client, so it imports nothing that needs node.

export interface WorldClient extends VendorCloudWorld {
  call: Transport['call']
}

/** `origin` is where the server's own paths begin, without a slash at the end. */
export function createWorldClient(origin: string, options: ControlOptions = {}): WorldClient {
  const { world = 'default', writeFile, keeper } = options
  const transport = new Transport(origin, options)
  const { url } = transport
  const { does, sends } = createMethods(transport)
  const call: Transport['call'] = (name, input) => transport.call(name, input)
  const remove = async () => {
    const deleted = await call('deleteWorld', { params: [world] })
    keeper?.deleted(world)
    return deleted
  }
  const open = async (plan: string | WorldOptions = {}): Promise<VendorCloudWorld> => {
    const { record, now, at, ...given } = typeof plan === 'string' ? { name: plan } : plan
    const name = given.name ?? newName()
    const { expiresIn = keeper?.expiresIn } = given
    await call('createWorld', {
      body: { ...given, name, expiresIn, now: toText(now), ...(at !== undefined && { at: toMoment(at) }) },
    })
    await keeper?.made(name)
    const made = createWorldClient(origin, { ...options, world: name })
    if (record) await made.recording.start()
    return made
  }
  return {
    url,
    name: world,
    call,
    fetch: ((target: string | URL | Request, init?: RequestInit) =>
      transport.fetch(toWorld(target, url, world), init)) as Fetch,
    ready: () => transport.health('ready'),
    live: () => transport.health('live'),
    status: does('readStatus'),
    summary: () => call('getWorld', { params: [world] }),
    snapshot: () => transport.send('takeSnapshot'),
    restore: async (snapshot) => void (await transport.send('restoreSnapshot', {}, snapshot)),
    reset: does('reset'),
    coverage: does('getCoverage'),
    examination: { read: does('getExamination'), publish: sends('publishExamination') },
    recording: {
      async start() {
        const started = await call('startRecording', { body: {} })
        keeper?.recorded(world, true)
        return started
      },
      read: (query) => transport.send('getRecording', { query }),
      async stop() {
        const ended = await call('endRecording', {})
        keeper?.recorded(world, false)
        return ended
      },
    },
    async saveCase(file, query) {
      if (!writeFile) throw new Error('there are no files here: recording.read() gives the case as text')
      await writeFile(file, await transport.send('getRecording', { query }))
    },
    rewind: async (at, plan = {}) => open({ ...plan, from: world, at: toMoment(at) }),
    diff: (other, { at, withAt } = {}) =>
      call('diffWorlds', {
        params: [world],
        query: {
          with: typeof other === 'string' ? other : other.name,
          ...(at !== undefined && { at: String(at) }),
          ...(withAt !== undefined && { withAt: String(withAt) }),
        },
      }),
    world: open,
    worlds: does('listWorlds'),
    delete: remove,
    control: (method, path, body) => transport.control(method, path, body),
    [Symbol.asyncDispose]: remove,
    ...createSteering(transport),
    ...createRecorded(transport),
    ...createBusiness(transport),
  }
}

function createSteering(transport: Transport) {
  const { does, lists, sends } = createMethods(transport)
  const setClock = sends('setClock')
  return {
    clock: {
      read: does('readClock'),
      advance: (duration) => transport.call('advanceClock', { body: { duration } }),
      set: (now) => setClock({ now: toText(now) }),
      freeze: (now) => setClock({ frozen: true, now: toText(now) }),
      unfreeze: () => setClock({ frozen: false }),
      reset: does('resetClock'),
    },
    events: { emit: sends('emitDeviceEvent'), health: sends('reportHealth'), lifecycle: sends('changeLifecycle') },
    faults: {
      add: sends('addFault'),
      profile: does('addFaultProfile'),
      list: does('listFaults'),
      remove: does('deleteFault'),
      clear: does('clearFaults'),
    },
    choices: does('listChoices'),
    profile: {
      set: sends('setProfile'),
      read: does('getProfile'),
      end: does('endProfile'),
    },
    sessions: { renew: (identity) => transport.call('renewSession', { body: { identity } }) },
    variation: {
      set: (draft = {}) => transport.call('setVariation', { body: draft }),
      read: does('getVariation'),
      end: does('endVariation'),
    },
    scenarios: {
      start: sends('startScenario'),
      list: lists('listScenarios'),
      remove: does('deleteScenario'),
      clear: does('clearScenarios'),
    },
    streams: { list: does('listStreams'), disturb: sends('disturbStream') },
  } satisfies Partial<VendorCloudWorld>
}

function createRecorded(transport: Transport) {
  const { does, lists } = createMethods(transport)
  const listJournal = lists('listJournal')
  const listOutbox = lists('listOutbox')
  return {
    verify: (match, expectation = {}) => transport.call('verifyJournal', { body: { match, ...expectation } }),
    async expectRequests(match, expectation = {}) {
      const verdict = await transport.call('verifyJournal', { body: { match, ...expectation } })
      if (!verdict.matched) throw new UnexpectedRequests(match, expectation, verdict)
      return verdict.entries
    },
    journal: async (filter) => (await listJournal(filter)).entries,
    journalEntry: does('getJournalEntry'),
    journalArchive: (filter) => transport.send('listJournal', { query: { ...filter, format: 'har' } }),
    clearJournal: does('clearJournal'),
    watch: (signal) => transport.watch(signal),
    outbox: async (paging = { limit: 100 }) => (await listOutbox(paging)).items,
    clearOutbox: does('clearOutbox'),
  } satisfies Partial<VendorCloudWorld>
}

function createBusiness(transport: Transport) {
  const { does, lists, sends } = createMethods(transport)
  return {
    tickets: { confirm: does('confirmTicket'), complete: does('completeTicket'), coming: lists('listMoves') },
    purchases: {
      create: sends('createPurchase'),
      list: lists('listPurchases'),
      cancel: (purchaseID, reason) => transport.call('cancelPurchase', { params: [purchaseID], body: { reason } }),
      payments: lists('listPayments'),
    },
    tokens: { issue: sends('issueAccessToken'), revoke: does('revokeAccessToken') },
    slots: lists('listSlots'),
    wallet: {
      check: sends('checkCard'),
      certificate: (request) => transport.call('issueCertificate', { body: { request } }),
    },
    // Only the caller knows the type of a collection's records.
    records: {
      collections: does('listCollections'),
      list: lists('listRecords'),
      get: does('getRecord'),
      put: sends('putRecord'),
      delete: does('deleteRecord'),
    } as VendorCloudWorld['records'],
    image: (imageId) => transport.load('getImage', { params: [imageId] }),
  } satisfies Partial<VendorCloudWorld>
}

type Method<Name extends ControlOperation, Last extends unknown[]> = (
  ...given: [...Params<Name>, ...Last]
) => Promise<Reply<Name>>

/**
 * A method takes the values of its path and one argument of its kind; further arguments, such as hooks of test runners
 * pass, are ignored.
 */
function createMethods(transport: Transport) {
  const taking = (part?: 'query' | 'body') => (name: ControlOperation) => {
    const count = controlRoutes[name].split(':').length - 1
    return (...given: unknown[]) =>
      transport.call(name, { params: given.slice(0, count), ...(part && { [part]: given[count] }) } as never)
  }
  return {
    does: taking() as <Name extends ControlOperation>(name: Name) => Method<Name, []>,
    lists: taking('query') as <Name extends ControlOperation>(name: Name) => Method<Name, [query?: Query<Name>]>,
    sends: taking('body') as <Name extends ControlOperation>(name: Name) => Method<Name, [body: Body<Name>]>,
  }
}

/** Dates are written as JSON has them. */
function toText(at: string | Date | undefined): string | undefined {
  return typeof at === 'object' ? at.toJSON() : at
}

/** Names differ between processes too, so that tests that share a server never meet. */
function newName(): string {
  return `w-${crypto.randomUUID()}`
}

/** A path belongs to the world. A request keeps its host, by which links begin, and names the world in its header. */
function toWorld(target: string | URL | Request, url: string, world: string): string | URL | Request {
  if (typeof target === 'string' && target.startsWith('/')) return url + target
  if (!(target instanceof Request) || world === 'default') return target
  const request = new Request(target)
  request.headers.set('x-world', world)
  return request
}

/** JSON would write an invalid Date as null, which means the present, so it is refused. */
function toMoment(at: unknown): number | string {
  const isDate = at instanceof Date && !Number.isNaN(at.getTime())
  const moment = isDate ? at.toISOString() : at
  if (typeof moment === 'number' ? Number.isFinite(moment) : typeof moment === 'string' && moment !== '') {
    return moment as number | string
  }
  const given = typeof at === 'string' ? '""' : String(at)
  throw new TypeError(`at must be the number of a step, an instant of ISO 8601 or a Date, and is ${given}`)
}
