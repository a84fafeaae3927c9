import type {
  AccessTokenRequest,
  CardVerdict,
  ChaosInput,
  CheckRequest,
  ClockMove,
  ClockState,
  CollectionSummary,
  Coverage,
  DeviceChange,
  DeviceEvent,
  Examination,
  Fault,
  FaultDraft,
  FeedMessage,
  HealthChange,
  IssuedCertificate,
  IssuedToken,
  JournalEntry,
  JournalMatch,
  JournalPage,
  JournalVerdict,
  LifecycleChange,
  OutboxMessage,
  Page,
  Payment,
  PurchaseInput,
  Scenario,
  ScenarioInput,
  ServiceRequestRecord,
  SlotPage,
  SoldPurchase,
  Standing,
  Status,
  StreamDescription,
  ChoiceSummary,
  ProfileAnswer,
  ProfileInput,
  SessionAnswer,
  ComingMove,
  Variation,
  VariationDraft,
  WorldDiff,
  WorldSummary,
} from './types.ts'
import type {
  CaseOptions,
  DiffMoments,
  Expectation,
  JournalFilter,
  JournalsFilter,
  Paging,
  SlotQuery,
  WorldOptions,
} from './inputs.ts'

/** The `fetch` of the platform, without a need for its types. */
export type Fetch = typeof globalThis extends { fetch: infer F } ? F : (url: string, init?: object) => Promise<unknown>

/** The platform's `AbortSignal`, without a need for its types. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : object

/** One world of a running server, and what can be done to it. */
export interface VendorCloudWorld {
  /** Where its paths begin; give this to the client under test. */
  readonly url: string
  /** `default`, or what it was made with. */
  readonly name: string
  /**
   * Calls a path of this world, such as `/stg/us/guest/zipCode`, or any address, as `fetch` does. A `Request` is this
   * world's, whatever host it names: in process where the server is, and links in its reply carry that host.
   */
  fetch: Fetch
  /** Resolves when the server, what it needs and the world answer. */
  ready(): Promise<void>
  /** Resolves when the server's process answers, whatever its engines do. */
  live(): Promise<void>
  /** The product that runs, and the state of the world. */
  status(): Promise<Status>
  /** The origin of the world, and when it goes. */
  summary(): Promise<WorldSummary>
  /** The world's time, which everything follows. */
  clock: {
    /** Where it stands. */
    read(): Promise<ClockState>
    /** Forward by an ISO 8601 duration or milliseconds; what falls due has happened when it resolves. */
    advance(duration: string | number): Promise<ClockMove>
    /** Any time: ISO 8601 or a Date. */
    set(now: string | Date): Promise<ClockMove>
    /** Stops it, where it is or at a time. */
    freeze(now?: string | Date): Promise<ClockMove>
    /** Lets it run on from where it stands. */
    unfreeze(): Promise<ClockMove>
    /** Back to real time. */
    reset(): Promise<ClockMove>
  }
  /** Events of devices. */
  events: {
    /** Changes an attribute of a device's state and sends the event. */
    emit(deviceId: string, change: DeviceChange): Promise<DeviceEvent>
    /** Changes a device's health and sends the event. */
    health(deviceId: string, change: HealthChange): Promise<unknown>
    /** Tells of a device's lifecycle; ROOM_MOVE moves it. */
    lifecycle(deviceId: string, change: LifecycleChange): Promise<unknown>
  }
  /** Failures that are provoked. */
  faults: {
    /** Provokes one. */
    add(fault: FaultDraft): Promise<Fault>
    /** Adds those of a ready-made profile. */
    profile(name: 'flaky' | 'slow' | 'brownout' | 'lost-answers' | 'gateway' | 'maintenance'): Promise<Page<Fault>>
    /** Each with how often it struck. */
    list(): Promise<Page<Fault>>
    /** Ends one. */
    remove(faultId: string): Promise<void>
    /** Ends all. */
    clear(): Promise<void>
  }
  /** Our choices where the documents are silent, and the values that can be set. */
  choices(): Promise<Page<ChoiceSummary>>
  /** The profile that bends the world. */
  profile: {
    /** Sets choices, and the faults and variation that come and go with them; a name is that of one that ships. */
    set(profile: ProfileInput): Promise<ProfileAnswer>
    /** The profile that it has; 404 when it has none. */
    read(): Promise<ProfileAnswer>
    /** The world is plain. */
    end(): Promise<void>
  }
  /** Identities that end, as the choice `session-lifetime` says. */
  sessions: {
    /** One is good again: its record's key, or what stands behind the colon where one alone fits. */
    renew(identity: string): Promise<SessionAnswer>
  }
  /** Replies that vary in what the documents leave open. */
  variation: {
    /** From the next reply on; all kinds unless told. */
    set(draft?: VariationDraft): Promise<Variation>
    /** How they vary now; 404 when they do not. */
    read(): Promise<Variation>
    /** Replies are as they were. */
    end(): Promise<void>
  }
  /** Whether the journal holds what is expected: at least one entry that fits, unless told otherwise. */
  verify(match: JournalMatch, expectation?: Expectation): Promise<JournalVerdict>
  /** The same for tests: gives the entries that fit, or throws with the nearest ones and what differs in them. */
  expectRequests(match: JournalMatch, expectation?: Expectation): Promise<JournalEntry[]>
  /** Requests and replies, newest first. */
  journal(filter?: JournalFilter): Promise<JournalEntry[]>
  /** Those of every instance, the newest by the world's clock first; `missing` names instances that said nothing. */
  journals(filter?: JournalsFilter): Promise<JournalPage>
  /** One entry of the journal. */
  journalEntry(id: number): Promise<JournalEntry>
  /** The entries that fit as an HTTP Archive (HAR 1.2), as text. */
  journalArchive(filter?: JournalFilter): Promise<string>
  /** Forgets all entries. */
  clearJournal(): Promise<void>
  /** Events as they happen, until `signal` or the end of the loop: first the newest entries of the journal. */
  watch(signal?: Signal): AsyncGenerator<FeedMessage, void>
  /** E-mails and SMS that would have been sent, newest first. */
  outbox(paging?: Paging): Promise<OutboxMessage[]>
  /** Forgets all messages. */
  clearOutbox(): Promise<void>
  /** Dealer tickets and in-store requests. */
  tickets: {
    /** The service center agrees to the appointment. */
    confirm(srid: string): Promise<ServiceRequestRecord>
    /** The work is done. */
    complete(srid: string): Promise<ServiceRequestRecord>
    /** The next move of each by the clock where they move by themselves, soonest first. */
    coming(paging?: Paging): Promise<Page<ComingMove>>
  }
  /** Subscriptions that were sold. */
  purchases: {
    /** Sells one. */
    create(order: PurchaseInput): Promise<SoldPurchase>
    /** A page of them, each with how it stands. */
    list(paging?: Paging): Promise<Page<SoldPurchase & Standing>>
    /** Cancels it: 1 user, 2 system, 3 billing error, 4 item not available, 5 unknown error. */
    cancel(purchaseID: string, reason: '1' | '2' | '3' | '4' | '5'): Promise<SoldPurchase>
    /** The payments made so far, the first one first. */
    payments(purchaseID: string, paging?: Paging): Promise<Page<Payment> & Standing>
  }
  /** Access tokens for event subscriptions. */
  tokens: {
    /** One for any user. */
    issue(request: AccessTokenRequest): Promise<IssuedToken>
    /** Revokes one; its stream ends. */
    revoke(accessToken: string): Promise<void>
  }
  /** Steps on devices that play by the world's clock. */
  scenarios: {
    /** Plays it from now on. */
    start(draft: ScenarioInput): Promise<Scenario>
    /** Scenarios that play; those that are over are no longer listed. */
    list(paging?: Paging): Promise<Page<Scenario>>
    /** Ends one. */
    remove(scenarioId: string): Promise<void>
    /** Ends all. */
    clear(): Promise<void>
  }
  /** Live event streams. */
  streams: {
    /** Those of this instance. */
    list(): Promise<Page<StreamDescription>>
    /** Disturbs one, to see how its client takes it. */
    disturb(subscriptionId: string, chaos: ChaosInput): Promise<void>
  }
  /** Every slot of a service center's days, offered or over, with its bookings. */
  slots(ascCode: string, query?: SlotQuery): Promise<SlotPage>
  /** Cards, and the certificates of those who offer them. */
  wallet: {
    /** All that is wrong with a card: each part as JSON or as the escaped string that cards carry. */
    check(card: CheckRequest): Promise<CardVerdict>
    /** One for a signing request (PEM), by the local authority. */
    certificate(request: string): Promise<IssuedCertificate>
  }
  /** The records of the store, by the plural noun of a collection such as `tickets`. */
  records: {
    /** The collections, with the field of each one's key. */
    collections(): Promise<Page<CollectionSummary>>
    /** A page of them; the fields of the collection's key and indexes filter it. */
    list<T = Record<string, unknown>>(
      collection: string,
      filter?: Readonly<Record<string, string | number>>,
    ): Promise<Page<T>>
    /** One of them. */
    get<T = Record<string, unknown>>(collection: string, key: string): Promise<T>
    /** Puts one, checked by its collection's schema. */
    put<T extends object>(collection: string, key: string, record: T): Promise<T>
    /** Deletes one. */
    delete(collection: string, key: string): Promise<void>
  }
  /** The bytes of a symptom image, as they were uploaded. */
  image(imageId: string): Promise<Uint8Array>
  /** The whole world as one canonical JSON document. */
  snapshot(): Promise<string>
  /** Puts it where a snapshot says, whole or not at all. */
  restore(snapshot: string): Promise<void>
  /** Puts it where it was at its start; live streams end. */
  reset(): Promise<void>
  /** The share of the vendor's interfaces met since the start or the last reset, and examples that meet the rest. */
  coverage(): Promise<Coverage>
  /** How far `vendor-cloud examine` is, of all worlds of this instance. */
  examination: {
    /** The report published last; 404 when there is none. */
    read(): Promise<Examination>
    /** In the place of what was published before. */
    publish(progress: Examination): Promise<Examination>
  }
  /** Keeps each request with its reply from now on, as a case that `vendor-cloud replay` plays again. */
  recording: {
    /** Begins one; 409 while one runs. */
    start(): Promise<unknown>
    /** The case so far: JSON Lines, secrets left out. */
    read(options?: CaseOptions): Promise<string>
    /** Forgets the recording. */
    stop(): Promise<void>
  }
  /**
   * While it is recorded: another world that stands where this one stood behind a step, or behind the last one by an
   * instant, its clock standing.
   */
  rewind(
    at: number | string | Date,
    options?: Omit<WorldOptions, 'from' | 'at' | 'seed' | 'now' | 'frozen'>,
  ): Promise<VendorCloudWorld>
  /** How another world differs from this one, record by record and field by field. */
  diff(other: string | DiffedWorld, moments?: DiffMoments): Promise<WorldDiff>
  /** Writes what was recorded to a file, in the place of what stood there. */
  saveCase(file: string, options?: CaseOptions): Promise<void>
  /** A world of its own: records, clock, ids, faults, journal, outbox and streams. */
  world(options?: string | WorldOptions): Promise<VendorCloudWorld>
  /** All worlds of the server. */
  worlds(): Promise<Page<WorldSummary>>
  /** Ends a world that `world` made. */
  delete(): Promise<void>
  /** Any call of the control API, by its path: `/_control/clock`, `/clock` or `clock`. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** Deletes it, so that `await using` ends a world with its block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A world by its name. */
export interface DiffedWorld {
  /** As it was made with. */
  readonly name: string
}
