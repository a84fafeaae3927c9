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
    /** The clock determines all times in the world. */
    clock: {
      read: does('readClock'),
      advance: sendsField('advanceClock', 'duration'),
      /** Sets the clock to any time, including one in the past. Accepts ISO 8601 or a Date. */
      set: (now: string | Date): Promise<ClockMove> => setClock({ now: toText(now) }),
      /** Pauses the clock at the given time. Default: the current time of the world. */
      freeze: (now?: string | Date): Promise<ClockMove> => setClock({ frozen: true, now: toText(now) }),
      /** Resumes the clock at the time at which the clock was paused, not at the real time. */
      unfreeze: (): Promise<ClockMove> => setClock({ frozen: false }),
      reset: does('resetClock'),
    },
    /** Changes devices and sends events to every open stream whose filters match. */
    events: {
      emit: sends('emitDeviceEvent'),
      health: sends('reportHealth'),
      lifecycle: sends('changeLifecycle'),
    },
    /** A fault replaces a response, or delays or breaks it. */
    faults: {
      add: sends('addFault'),
      profile: does('addFaultProfile'),
      list: does('listFaults'),
      remove: does('deleteFault'),
      clear: does('clearFaults'),
    },
    choices: does('listChoices'),
    /** A profile configures the choices, faults and variation of a world. */
    profile: {
      /**
       * Accepts an object with choices, or the name of a built-in profile. When the profile ends, its faults and
       * variation also end.
       */
      set: (profile: ProfileInput): Promise<ProfileAnswer> => transport.call('setProfile', { body: profile }),
      read: does('getProfile'),
      end: does('endProfile'),
    },
    /** Starts a new session of an identity. Sessions expire only if the choice `session-lifetime` is set. */
    sessions: { renew: sendsField('renewSession', 'identity') },
    /** Variation changes only details that the documents leave unspecified, so correct clients still work. */
    variation: { set: sends('setVariation'), read: does('getVariation'), end: does('endVariation') },
    /** A scenario changes devices step by step, according to the world's clock. */
    scenarios: {
      start: sends('startScenario'),
      list: lists('listScenarios'),
      remove: does('deleteScenario'),
      clear: does('clearScenarios'),
    },
    /** Lists open event streams of the instance that handles the request, and injects faults into them. */
    streams: { list: does('listStreams'), injectFault: sends('injectStreamFault') },
    reset: does('reset'),
    coverage: does('getCoverage'),
    /** Reads or publishes the progress of `vendor-cloud examine`. All worlds of an instance share it. */
    examination: { read: does('getExamination'), publish: sends('publishExamination') },
    worlds: does('listWorlds'),
  }
}

function createRecorded(transport: Transport) {
  const { does } = createMethods(transport)
  return {
    /** Checks whether the journal contains the expected entries. Default: at least one. A number is the exact count. */
    verify: (match: JournalMatch, expectation: Expectation | number = {}): Promise<JournalVerdict> =>
      transport.call('verifyJournal', { body: { match, ...toExpectation(expectation) } }),
    /**
     * Returns the matching entries, newest first. If there are too few or too many, throws an error that lists the
     * nearest entries and their differences. A number is the exact count.
     */
    expectRequests: async (match: JournalMatch, expectation: Expectation | number = {}): Promise<JournalEntry[]> => {
      const wanted = toExpectation(expectation)
      const verdict = await transport.call('verifyJournal', { body: { match, ...wanted } })
      if (!verdict.matched) throw new UnexpectedRequests(match, wanted, verdict, transport)
      return verdict.entries
    },
    /** Returns an array of requests and responses, newest first. */
    journal: async (filter?: JournalFilter): Promise<JournalEntry[]> =>
      (await transport.call('listJournal', { query: { ...filter } })).entries,
    journalEntry: does('getJournalEntry'),
    /** Matching entries as the text of an HTTP Archive (HAR 1.2). */
    journalArchive: (filter?: JournalFilter): Promise<string> =>
      transport.send('listJournal', { query: { ...filter, format: 'har' } }),
    clearJournal: does('clearJournal'),
    /** Yields the newest journal entries, then each change of the world, until `signal` is aborted or the loop ends. */
    watch: (signal?: Signal): AsyncGenerator<FeedMessage, void> => transport.watch(signal as AbortSignal),
    /** Returns an array of emails and text messages, newest first. They are stored and never sent. */
    outbox: async (paging: Paging = { limit: 100 }): Promise<OutboxMessage[]> =>
      (await transport.call('listOutbox', { query: { ...paging } })).items,
    clearOutbox: does('clearOutbox'),
  }
}

const toExpectation = (expected: Expectation | number): Expectation =>
  typeof expected === 'number' ? { count: expected } : expected

function createBusiness(transport: Transport) {
  const { does, lists, sends, sendsField } = createMethods(transport)
  return {
    /** Changes the state of dealer tickets and in-store requests. */
    tickets: {
      /** Confirms the appointment on behalf of the service center. */
      confirm: (srid: string): Promise<ServiceRequestRecord> => transport.call('confirmTicket', { params: [srid] }),
      /** Completes the work and closes the request. */
      complete: (srid: string): Promise<ServiceRequestRecord> => transport.call('completeTicket', { params: [srid] }),
      coming: lists('listMoves'),
    },
    /** Purchases renew and expire according to the world's clock. */
    purchases: {
      create: sends('createPurchase'),
      list: lists('listPurchases'),
      cancel: sendsField('cancelPurchase', 'reason'),
      payments: lists('listPayments'),
    },
    /** Issues and revokes access tokens of document 2, which are required for event subscriptions. */
    tokens: { issue: sends('issueAccessToken'), revoke: does('revokeAccessToken') },
    /** Lists all slots of the requested days with their bookings, including past and full slots. */
    slots: (ascCode: string, query?: SlotQuery): Promise<SlotPage> =>
      transport.call('listSlots', { params: [ascCode], query: { ...query } }),
    /** Checks wallet cards against the rules of document 2, and issues certificates. */
    wallet: { check: sends('checkCard'), certificate: sendsField('issueCertificate', 'request') },
    /** Reads and writes records of collections such as `tickets`. The vendor's rules do not apply. */
    records: {
      collections: does('listCollections'),
      /** Filters by fields that are the key or an index of the collection. */
      list: <T = Record<string, unknown>>(
        collection: string,
        filter?: Readonly<Record<string, string | number>>,
      ): Promise<Page<T>> => transport.call('listRecords', { params: [collection], query: { ...filter } }) as never,
      /** Rejects with 404 if the record does not exist. */
      get: <T = Record<string, unknown>>(collection: string, key: string): Promise<T> =>
        transport.call('getRecord', { params: [collection, key] }) as never,
      /** Validates the record against the collection's schema. Replaces an existing record. */
      put: <T extends object>(collection: string, key: string, record: T): Promise<T> =>
        transport.call('putRecord', { params: [collection, key], body: record as never }) as never,
      delete: does('deleteRecord'),
    },
    /** Bytes of a symptom image, exactly as uploaded. */
    image: (imageId: string): Promise<Uint8Array> => transport.load('getImage', { params: [imageId] }),
  }
}

type Method<Name extends ControlOperation, Last extends unknown[]> = (
  ...given: [...Params<Name>, ...Last]
) => Promise<Reply<Name>>
type Optional<T> = undefined extends T ? [body?: T] : [body: T]

/**
 * A method accepts the parameters of its path and, depending on its kind, one more argument. Additional arguments are
 * ignored, because test runners pass their own arguments to hooks.
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

/** Converts a Date to its JSON format. */
export function toText(at: string | Date | undefined): string | undefined {
  return typeof at === 'object' ? at.toJSON() : at
}
