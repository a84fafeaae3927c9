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

/** Most calls are operations of the control API. Its contract declares their input, summary and response. */
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
      /** Sets any time, also in the past: ISO 8601 or a Date. */
      set: (now: string | Date): Promise<ClockMove> => setClock({ now: toText(now) }),
      /** Pauses the clock at the given time. Default: the current time of the world. */
      freeze: (now?: string | Date): Promise<ClockMove> => setClock({ frozen: true, now: toText(now) }),
      /** Continues from the time at which the clock is paused, not from real time. */
      unfreeze: (): Promise<ClockMove> => setClock({ frozen: false }),
      reset: does('resetClock'),
    },
    /** Changes devices. Every open stream whose filters match gets the event. */
    events: {
      emit: sends('emitDeviceEvent'),
      health: sends('reportHealth'),
      lifecycle: sends('changeLifecycle'),
    },
    /** A fault replaces or disturbs a response. */
    faults: {
      add: sends('addFault'),
      profile: does('addFaultProfile'),
      list: does('listFaults'),
      remove: does('deleteFault'),
      clear: does('clearFaults'),
    },
    choices: does('listChoices'),
    /** A profile sets choices of the world, faults and variation. */
    profile: {
      /** Accepts choices or the name of a shipped profile. Its faults and variation end with it. */
      set: (profile: ProfileInput): Promise<ProfileAnswer> => transport.call('setProfile', { body: profile }),
      read: does('getProfile'),
      end: does('endProfile'),
    },
    /** Identities expire only where the choice `session-lifetime` is set. */
    sessions: { renew: sendsField('renewSession', 'identity') },
    /** Variation changes only what the documents leave open, so a correct client never notices. */
    variation: { set: sends('setVariation'), read: does('getVariation'), end: does('endVariation') },
    /** A scenario changes devices in steps by the world's clock. */
    scenarios: {
      start: sends('startScenario'),
      list: lists('listScenarios'),
      remove: does('deleteScenario'),
      clear: does('clearScenarios'),
    },
    /** Live event streams of the instance that responds. */
    streams: { list: does('listStreams'), injectFault: sends('injectStreamFault') },
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
    /** Checks whether the journal has the expected entries. Default: at least one that matches. */
    verify: (match: JournalMatch, expectation: Expectation = {}): Promise<JournalVerdict> =>
      transport.call('verifyJournal', { body: { match, ...expectation } }),
    /** Returns the matching entries. Throws with the nearest entries and their differences if too few or many match. */
    expectRequests: async (match: JournalMatch, expectation: Expectation = {}): Promise<JournalEntry[]> => {
      const verdict = await transport.call('verifyJournal', { body: { match, ...expectation } })
      if (!verdict.matched) throw new UnexpectedRequests(match, expectation, verdict)
      return verdict.entries
    },
    /** Requests and responses, the newest first. */
    journal: async (filter?: JournalFilter): Promise<JournalEntry[]> =>
      (await transport.call('listJournal', { query: { ...filter } })).entries,
    journalEntry: does('getJournalEntry'),
    /** The matching entries as the text of an HTTP Archive (HAR 1.2). */
    journalArchive: (filter?: JournalFilter): Promise<string> =>
      transport.send('listJournal', { query: { ...filter, format: 'har' } }),
    clearJournal: does('clearJournal'),
    /** Starts with the newest entries of the journal. Ends with `signal` or the loop. */
    watch: (signal?: Signal): AsyncGenerator<FeedMessage, void> => transport.watch(signal as AbortSignal),
    /** Emails and SMS, the newest first. They are stored and never sent. */
    outbox: async (paging: Paging = { limit: 100 }): Promise<OutboxMessage[]> =>
      (await transport.call('listOutbox', { query: { ...paging } })).items,
    clearOutbox: does('clearOutbox'),
  }
}

function createBusiness(transport: Transport) {
  const { does, lists, sends, sendsField } = createMethods(transport)
  return {
    /** Moves dealer tickets and in-store requests. */
    tickets: {
      /** Confirms the appointment, as the service center does. */
      confirm: (srid: string): Promise<ServiceRequestRecord> => transport.call('confirmTicket', { params: [srid] }),
      /** Completes the work, which closes the request. */
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
    /** Lists every slot of the days with its bookings, including past and full slots. */
    slots: (ascCode: string, query?: SlotQuery): Promise<SlotPage> =>
      transport.call('listSlots', { params: [ascCode], query: { ...query } }),
    /** Cards are checked by the rules of document 2b. */
    wallet: { check: sends('checkCard'), certificate: sendsField('issueCertificate', 'request') },
    /** Reads and writes records of collections such as `tickets` without the vendor's rules. */
    records: {
      collections: does('listCollections'),
      /** Filters by the fields of the collection's key and indexes. */
      list: <T = Record<string, unknown>>(
        collection: string,
        filter?: Readonly<Record<string, string | number>>,
      ): Promise<Page<T>> => transport.call('listRecords', { params: [collection], query: { ...filter } }) as never,
      /** Rejects with 404 where there is none. */
      get: <T = Record<string, unknown>>(collection: string, key: string): Promise<T> =>
        transport.call('getRecord', { params: [collection, key] }) as never,
      /** Validates the record by the collection's schema. Replaces an existing record. */
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
 * A method accepts the values of its path and one more argument, depending on its kind. Additional arguments, such as
 * those that hooks of test runners pass, are ignored.
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
