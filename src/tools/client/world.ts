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
import type { CaseOptions, DiffMoments, Expectation, JournalFilter, Paging, SlotQuery, WorldOptions } from './inputs.ts'

/** A conditional type, so that users without the platform's types can compile. */
export type Fetch = typeof globalThis extends { fetch: infer F } ? F : (url: string, init?: object) => Promise<unknown>

/** A conditional type, so that users without the platform's types can compile. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : object

/** One world of a running server; another world never notices calls on it. */
export interface VendorCloudWorld {
  /** Paths of this world begin here, so the client under test is given this address. */
  readonly url: string
  /** `default`, or the name that the world was created with. */
  readonly name: string
  /**
   * Calls a path of this world, such as `/stg/us/guest/zipCode`, or any address, as `fetch` does. A `Request` goes to
   * this world whatever host it names: in process where the server is, and links in its reply carry that host.
   */
  fetch: Fetch
  /** Resolves when the server, what it needs and the world answer. */
  ready(): Promise<void>
  /** Resolves when the server's process answers, whatever its engines do. */
  live(): Promise<void>
  /** Tells the running version and the state of the world. */
  status(): Promise<Status>
  /** Tells how the world began, and when it expires. */
  summary(): Promise<WorldSummary>
  /** Everything in the world follows this clock. */
  clock: {
    /** Reading never moves the clock. */
    read(): Promise<ClockState>
    /** Forward by an ISO 8601 duration or milliseconds; everything that falls due has happened when it resolves. */
    advance(duration: string | number): Promise<ClockMove>
    /** Takes any time, ISO 8601 or a Date, the past too. */
    set(now: string | Date): Promise<ClockMove>
    /** Freezes at the given time, or where the clock stands. */
    freeze(now?: string | Date): Promise<ClockMove>
    /** Continues from where the clock stands, not from real time. */
    unfreeze(): Promise<ClockMove>
    /** Returns to real time. */
    reset(): Promise<ClockMove>
  }
  /** Lets devices report; every open stream whose filters fit gets the event. */
  events: {
    /** Changes an attribute of the device's state, then sends the event. */
    emit(deviceId: string, change: DeviceChange): Promise<DeviceEvent>
    /** Changes the device's health, then sends the event. */
    health(deviceId: string, change: HealthChange): Promise<unknown>
    /** Sends a lifecycle event; ROOM_MOVE also moves the device. */
    lifecycle(deviceId: string, change: LifecycleChange): Promise<unknown>
  }
  /** A fault answers in place of the vendor, or disturbs its answer. */
  faults: {
    /** Strikes from the next request on that fits. */
    add(fault: FaultDraft): Promise<Fault>
    /** Adds the faults of a ready-made profile to those that are there. */
    profile(name: 'flaky' | 'slow' | 'brownout' | 'lost-answers' | 'gateway' | 'maintenance'): Promise<Page<Fault>>
    /** Each fault tells how often it struck. */
    list(): Promise<Page<Fault>>
    /** The fault no longer strikes; the others stay. */
    remove(faultId: string): Promise<void>
    /** No fault strikes any longer. */
    clear(): Promise<void>
  }
  /** Lists every choice with its sentence, its value and the values that a profile can set. */
  choices(): Promise<Page<ChoiceSummary>>
  /** A profile bends the world's choices, and brings its own faults and variation. */
  profile: {
    /** Takes choices, or the name of a shipped profile; its faults and variation come and go with it. */
    set(profile: ProfileInput): Promise<ProfileAnswer>
    /** Rejects with 404 where the world has none. */
    read(): Promise<ProfileAnswer>
    /** The world follows the default choices again. */
    end(): Promise<void>
  }
  /** The choice `session-lifetime` lets identities end; none ends without it. */
  sessions: {
    /** Takes the key of the identity's record, or the part behind its colon where that is unique. */
    renew(identity: string): Promise<SessionAnswer>
  }
  /** Variation changes only what the documents leave open, so a correct client never notices. */
  variation: {
    /** Replies vary from the next one on; all kinds do unless told. */
    set(draft?: VariationDraft): Promise<Variation>
    /** Rejects with 404 where replies do not vary. */
    read(): Promise<Variation>
    /** Replies are plain from the next one on. */
    end(): Promise<void>
  }
  /** Tells whether the journal holds what is expected: at least one fitting entry unless told otherwise. */
  verify(match: JournalMatch, expectation?: Expectation): Promise<JournalVerdict>
  /** Gives the entries that fit, or throws with the nearest ones and where they differ. */
  expectRequests(match: JournalMatch, expectation?: Expectation): Promise<JournalEntry[]>
  /** Requests and replies; the newest entry comes first. */
  journal(filter?: JournalFilter): Promise<JournalEntry[]>
  /** One entry of the journal; rejects with 404 where it was never there or is forgotten. */
  journalEntry(id: number): Promise<JournalEntry>
  /** The fitting entries as an HTTP Archive (HAR 1.2) in text. */
  journalArchive(filter?: JournalFilter): Promise<string>
  /** Forgets all entries; ids begin again. */
  clearJournal(): Promise<void>
  /** Begins with the newest entries of the journal, and ends with `signal` or the loop. */
  watch(signal?: Signal): AsyncGenerator<FeedMessage, void>
  /** E-mails and SMS are kept and never sent; the newest comes first. */
  outbox(paging?: Paging): Promise<OutboxMessage[]>
  /** Forgets all messages. */
  clearOutbox(): Promise<void>
  /** Dealer tickets and in-store requests share these moves. */
  tickets: {
    /** The service center agrees to the appointment, as its staff would. */
    confirm(srid: string): Promise<ServiceRequestRecord>
    /** The work is done, which closes the request. */
    complete(srid: string): Promise<ServiceRequestRecord>
    /** Where tickets move by themselves, tells each next move by the clock, the soonest first. */
    coming(paging?: Paging): Promise<Page<ComingMove>>
  }
  /** A purchase renews and expires by the world's clock. */
  purchases: {
    /** Sells one, as the vendor's shop would. */
    create(order: PurchaseInput): Promise<SoldPurchase>
    /** Each purchase tells how it stands by the world's clock. */
    list(paging?: Paging): Promise<Page<SoldPurchase & Standing>>
    /** Reasons are 1 user, 2 system, 3 billing error, 4 item not available, 5 unknown error. */
    cancel(purchaseID: string, reason: '1' | '2' | '3' | '4' | '5'): Promise<SoldPurchase>
    /** The first payment comes first. */
    payments(purchaseID: string, paging?: Paging): Promise<Page<Payment> & Standing>
  }
  /** Access tokens of document 2a open event subscriptions. */
  tokens: {
    /** Any name may be that of its user; the token is shown only here. */
    issue(request: AccessTokenRequest): Promise<IssuedToken>
    /** The token is refused at once, and its stream ends. */
    revoke(accessToken: string): Promise<void>
  }
  /** A scenario plays steps on devices by the world's clock. */
  scenarios: {
    /** The first step counts from now on. */
    start(draft: ScenarioInput): Promise<Scenario>
    /** A scenario that is over is no longer listed. */
    list(paging?: Paging): Promise<Page<Scenario>>
    /** Its remaining steps do not happen. */
    remove(scenarioId: string): Promise<void>
    /** No remaining step of any scenario happens. */
    clear(): Promise<void>
  }
  /** Live event streams; each instance knows its own alone. */
  streams: {
    /** Lists the streams of this instance. */
    list(): Promise<Page<StreamDescription>>
    /** Disturbs the stream on purpose, to test its client. */
    disturb(subscriptionId: string, chaos: ChaosInput): Promise<void>
  }
  /** Lists every slot of the days with its bookings, also past and full ones. */
  slots(ascCode: string, query?: SlotQuery): Promise<SlotPage>
  /** Cards are checked by the rules of document 2b. */
  wallet: {
    /** Tells everything that is wrong with a card; each part may be JSON or the escaped string that cards carry. */
    check(card: CheckRequest): Promise<CardVerdict>
    /** The local authority signs the request, which is PEM. */
    certificate(request: string): Promise<IssuedCertificate>
  }
  /** Collections have plural nouns such as `tickets`; records are read and written without the vendor's rules. */
  records: {
    /** Each collection tells the field that is its key. */
    collections(): Promise<Page<CollectionSummary>>
    /** Fields of the collection's key and indexes filter the page. */
    list<T = Record<string, unknown>>(
      collection: string,
      filter?: Readonly<Record<string, string | number>>,
    ): Promise<Page<T>>
    /** Rejects with 404 where there is none. */
    get<T = Record<string, unknown>>(collection: string, key: string): Promise<T>
    /** The collection's schema checks the record; an existing one is replaced. */
    put<T extends object>(collection: string, key: string, record: T): Promise<T>
    /** Rejects with 404 where there is none. */
    delete(collection: string, key: string): Promise<void>
  }
  /** The bytes of a symptom image, as they were uploaded. */
  image(imageId: string): Promise<Uint8Array>
  /** The whole world as canonical JSON Lines: equal worlds give equal text. */
  snapshot(): Promise<string>
  /** Restores the snapshot as a whole, or not at all. */
  restore(snapshot: string): Promise<void>
  /** Returns to the start of the world; live streams end. */
  reset(): Promise<void>
  /** Tells what of the vendor was met since the start or the last reset, and what was not. */
  coverage(): Promise<Coverage>
  /** The progress of `vendor-cloud examine`, of all worlds of this instance. */
  examination: {
    /** Rejects with 404 where none was published. */
    read(): Promise<Examination>
    /** Replaces what was published before. */
    publish(progress: Examination): Promise<Examination>
  }
  /** Each request is kept with its reply, as a case that `vendor-cloud replay` repeats. */
  recording: {
    /** Rejects with 409 while one runs. */
    start(): Promise<unknown>
    /** Gives the case so far as JSON Lines, without its secrets. */
    read(options?: CaseOptions): Promise<string>
    /** Ends the recording, whose case is lost. */
    stop(): Promise<void>
  }
  /**
   * Needs a recording. Makes another world as this one stood behind a step, or behind the last step by an instant; its
   * clock stands.
   */
  rewind(
    at: number | string | Date,
    options?: Omit<WorldOptions, 'from' | 'at' | 'seed' | 'now' | 'frozen'>,
  ): Promise<VendorCloudWorld>
  /** Compares this world with another, record by record and field by field. */
  diff(other: string | DiffedWorld, moments?: DiffMoments): Promise<WorldDiff>
  /** Writes what was recorded to a file, and replaces one that is there. */
  saveCase(file: string, options?: CaseOptions): Promise<void>
  /** The new world has its own records, clock, ids, faults, journal, outbox and streams. */
  world(options?: string | WorldOptions): Promise<VendorCloudWorld>
  /** Lists the worlds of the server, this one included. */
  worlds(): Promise<Page<WorldSummary>>
  /** Only a world that `world` made can be deleted. */
  delete(): Promise<void>
  /** Calls any operation of the control API, by `/_control/clock`, `/clock` or `clock`. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** `await using` deletes the world at the end of its block. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface DiffedWorld {
  /** The name that the world was created with. */
  readonly name: string
}
