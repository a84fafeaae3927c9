import type { Body, Params, Reply } from '#contract/control/calls.ts'
import { type ControlOperation, controlRoutes } from '#contract/control/routes.ts'
import type { Expectation, JournalFilter, Paging, Signal, SlotQuery } from './inputs.ts'
import type { Transport } from './transport.ts'
import type {
  ClockMove,
  FeedMessage,
  JournalEntry,
  JournalMatch,
  JournalVerdict,
  OutboxMessage,
  Page,
  ProfileAnswer,
  ProfileInput,
  ServiceRequestRecord,
  SlotPage,
} from './types.ts'
import { UnexpectedRequests } from './expected-requests.ts'

/** Most calls are operations of the control API, whose contract says what they take, do and answer. */
export function createCalls(transport: Transport) {
  return { ...createSteering(transport), ...createRecorded(transport), ...createBusiness(transport) }
}

function createSteering(transport: Transport) {
  const { does, lists, sends, sendsField } = createMethods(transport)
  const setClock = sends('setClock')
  return {
    status: does('readStatus'),
    /** Everything in the world follows this clock. */
    clock: {
      read: does('readClock'),
      advance: sendsField('advanceClock', 'duration'),
      /** Takes any time, ISO 8601 or a Date, the past too. */
      set: (now: string | Date): Promise<ClockMove> => setClock({ now: toText(now) }),
      /** Freezes at the given time, or where the clock stands. */
      freeze: (now?: string | Date): Promise<ClockMove> => setClock({ frozen: true, now: toText(now) }),
      /** Continues from where the clock stands, not from real time. */
      unfreeze: (): Promise<ClockMove> => setClock({ frozen: false }),
      reset: does('resetClock'),
    },
    /** Lets devices report; every open stream whose filters fit gets the event. */
    events: {
      emit: sends('emitDeviceEvent'),
      health: sends('reportHealth'),
      lifecycle: sends('changeLifecycle'),
    },
    /** A fault answers in place of the vendor, or disturbs its answer. */
    faults: {
      add: sends('addFault'),
      profile: does('addFaultProfile'),
      list: does('listFaults'),
      remove: does('deleteFault'),
      clear: does('clearFaults'),
    },
    choices: does('listChoices'),
    /** A profile bends the world's choices, and brings its own faults and variation. */
    profile: {
      /** Takes choices, or the name of a shipped profile; its faults and variation come and go with it. */
      set: (profile: ProfileInput): Promise<ProfileAnswer> => transport.call('setProfile', { body: profile }),
      read: does('getProfile'),
      end: does('endProfile'),
    },
    /** The choice `session-lifetime` lets identities end; none ends without it. */
    sessions: { renew: sendsField('renewSession', 'identity') },
    /** Variation changes only what the documents leave open, so a correct client never notices. */
    variation: { set: sends('setVariation'), read: does('getVariation'), end: does('endVariation') },
    /** A scenario plays steps on devices by the world's clock. */
    scenarios: {
      start: sends('startScenario'),
      list: lists('listScenarios'),
      remove: does('deleteScenario'),
      clear: does('clearScenarios'),
    },
    /** Live event streams; each instance knows its own alone. */
    streams: { list: does('listStreams'), disturb: sends('disturbStream') },
    reset: does('reset'),
    coverage: does('getCoverage'),
    /** The progress of `vendor-cloud examine`, of all worlds of this instance. */
    examination: { read: does('getExamination'), publish: sends('publishExamination') },
    worlds: does('listWorlds'),
  }
}

function createRecorded(transport: Transport) {
  const { does } = createMethods(transport)
  return {
    /** Tells whether the journal holds what is expected: at least one fitting entry unless told otherwise. */
    verify: (match: JournalMatch, expectation: Expectation = {}): Promise<JournalVerdict> =>
      transport.call('verifyJournal', { body: { match, ...expectation } }),
    /** Gives the entries that fit, or throws with the nearest ones and where they differ. */
    expectRequests: async (match: JournalMatch, expectation: Expectation = {}): Promise<JournalEntry[]> => {
      const verdict = await transport.call('verifyJournal', { body: { match, ...expectation } })
      if (!verdict.matched) throw new UnexpectedRequests(match, expectation, verdict)
      return verdict.entries
    },
    /** Requests and replies; the newest entry comes first. */
    journal: async (filter?: JournalFilter): Promise<JournalEntry[]> =>
      (await transport.call('listJournal', { query: { ...filter } })).entries,
    journalEntry: does('getJournalEntry'),
    /** The fitting entries as an HTTP Archive (HAR 1.2) in text. */
    journalArchive: (filter?: JournalFilter): Promise<string> =>
      transport.send('listJournal', { query: { ...filter, format: 'har' } }),
    clearJournal: does('clearJournal'),
    /** Begins with the newest entries of the journal, and ends with `signal` or the loop. */
    watch: (signal?: Signal): AsyncGenerator<FeedMessage, void> => transport.watch(signal as AbortSignal),
    /** E-mails and SMS are kept and never sent; the newest comes first. */
    outbox: async (paging: Paging = { limit: 100 }): Promise<OutboxMessage[]> =>
      (await transport.call('listOutbox', { query: { ...paging } })).items,
    clearOutbox: does('clearOutbox'),
  }
}

function createBusiness(transport: Transport) {
  const { does, lists, sends, sendsField } = createMethods(transport)
  return {
    /** Dealer tickets and in-store requests share these moves. */
    tickets: {
      /** The service center agrees to the appointment, as its staff would. */
      confirm: (srid: string): Promise<ServiceRequestRecord> => transport.call('confirmTicket', { params: [srid] }),
      /** The work is done, which closes the request. */
      complete: (srid: string): Promise<ServiceRequestRecord> => transport.call('completeTicket', { params: [srid] }),
      coming: lists('listMoves'),
    },
    /** A purchase renews and expires by the world's clock. */
    purchases: {
      create: sends('createPurchase'),
      list: lists('listPurchases'),
      cancel: sendsField('cancelPurchase', 'reason'),
      payments: lists('listPayments'),
    },
    /** Access tokens of document 2a open event subscriptions. */
    tokens: { issue: sends('issueAccessToken'), revoke: does('revokeAccessToken') },
    /** Lists every slot of the days with its bookings, also past and full ones. */
    slots: (ascCode: string, query?: SlotQuery): Promise<SlotPage> =>
      transport.call('listSlots', { params: [ascCode], query: { ...query } }),
    /** Cards are checked by the rules of document 2b. */
    wallet: { check: sends('checkCard'), certificate: sendsField('issueCertificate', 'request') },
    /** Collections have plural nouns such as `tickets`; records are read and written without the vendor's rules. */
    records: {
      collections: does('listCollections'),
      /** Fields of the collection's key and indexes filter the page. */
      list: <T = Record<string, unknown>>(
        collection: string,
        filter?: Readonly<Record<string, string | number>>,
      ): Promise<Page<T>> => transport.call('listRecords', { params: [collection], query: { ...filter } }) as never,
      /** Rejects with 404 where there is none. */
      get: <T = Record<string, unknown>>(collection: string, key: string): Promise<T> =>
        transport.call('getRecord', { params: [collection, key] }) as never,
      /** The collection's schema checks the record; an existing one is replaced. */
      put: <T extends object>(collection: string, key: string, record: T): Promise<T> =>
        transport.call('putRecord', { params: [collection, key], body: record as never }) as never,
      delete: does('deleteRecord'),
    },
    /** The bytes of a symptom image, as they were uploaded. */
    image: (imageId: string): Promise<Uint8Array> => transport.load('getImage', { params: [imageId] }),
  }
}

type Method<Name extends ControlOperation, Last extends unknown[]> = (
  ...given: [...Params<Name>, ...Last]
) => Promise<Reply<Name>>
type Optional<T> = undefined extends T ? [body?: T] : [body: T]

/**
 * A method takes the values of its path and one argument of its kind; further arguments, such as hooks of test runners
 * pass, are ignored.
 */
function createMethods(transport: Transport) {
  const taking = (part?: 'query' | 'body') => (name: ControlOperation, field?: string) => {
    const count = controlRoutes[name].split(':').length - 1
    return (...given: unknown[]) => {
      const last = field === undefined ? given[count] : { [field]: given[count] }
      return transport.call(name, { params: given.slice(0, count), ...(part && { [part]: last }) } as never)
    }
  }
  return {
    does: taking() as <Name extends ControlOperation>(name: Name) => Method<Name, []>,
    lists: taking('query') as <Name extends ControlOperation>(name: Name) => Method<Name, [paging?: Paging]>,
    sends: taking('body') as <Name extends ControlOperation>(name: Name) => Method<Name, Optional<Body<Name>>>,
    sendsField: taking('body') as <Name extends ControlOperation, Field extends keyof Body<Name>>(
      name: Name,
      field: Field,
    ) => Method<Name, [value: Body<Name>[Field]]>,
  }
}

/** Dates are written as JSON has them. */
export function toText(at: string | Date | undefined): string | undefined {
  return typeof at === 'object' ? at.toJSON() : at
}
