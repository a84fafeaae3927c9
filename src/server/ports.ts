import type { CollectionName, FieldOf, RecordOf } from '../contract/records/collections.ts'
import type { Snapshot } from '../contract/records/snapshot.ts'
import type { ZipCodeRecord } from '../contract/records/guest/zip-code.ts'
import type { EventEnvelope } from '../contract/records/events/platform-event.ts'
import type { Chaos, StreamDescription, StreamEnding } from '../contract/records/events/stream.ts'
import type { Subscription } from '../contract/records/events/subscription.ts'
import type { JournalEntry } from '../contract/records/control/journal.ts'
import type { Recorder } from '../contract/records/control/case.ts'
import type { Fault } from '../contract/records/control/fault.ts'
import type { Variation } from '../contract/records/control/variation.ts'
import type { RequestFields, SignedCertificate, SigningRequest } from '../contract/records/wallet/signing-request.ts'

/** What the rules need from outside, one set per world: a request finds its world's in `request.ports`. */
export interface Ports {
  world: World
  store: Store
  clock: Clock
  clockControl: ClockControl
  scheduler: Scheduler
  bus: Bus
  streams: Streams
  journal: Journal
  faults: Faults
  variations: Variations
  random: Random
  /** The source of a world with this seed, for one that is recorded. */
  seededRandom(seed: string): Random
  digests: Digests
  /** SHA-256 of the tokens and seller secrets that the fixtures publish: they are no secrets. */
  published: ReadonlySet<string>
  blobs: Blobs
  zipCodes: ZipCodes
  certificates: Certificates
  turns: Turns
  /** Requests that brought no id of their own: theirs count on from it. */
  requestCount: number
  /** What of the vendor the world has met, up to an entry of its journal. */
  met: { upTo: number; what: Set<string> }
  /** Follows the world while somebody records it. */
  recorder?: Recorder | undefined
}

export interface World {
  name: string
  /** PUBLIC_URL, where links that we hand out begin; absent: the address the request came to. */
  publicUrl: string | undefined
  /** What its ids are a function of; absent: they are random. */
  seed: string | undefined
  /** SUBSCRIPTION_TTL in milliseconds: a subscription that nobody opens for so long is dropped; absent: never. */
  subscriptionTtl: number | undefined
  /** What its streams ask their clients to wait before they come back. */
  streamRetryMs: number
}

/** Each world has its own records, clock, ids, faults, journal, outbox and streams. */
export interface Worlds {
  find(name: string): Ports | undefined
  /** The same, once it is sure that no other instance has made it just now. */
  look(name: string): Promise<Ports | undefined>
  list(): WorldDescription[]
  /** Nothing when the name is in use. It starts with the fixtures, or as the world that it is forked from. */
  create(plan: WorldPlan): Promise<Ports | undefined>
  /** Whether there was one; its streams end. */
  delete(name: string): Promise<boolean>
  /** As it was at its start; live streams end. */
  reset(name: string): Promise<Ports>
  /** As the snapshot says; live streams end. `head`: the sequence before its first event, else as of real time. */
  restore(name: string, snapshot: Snapshot, head?: number): Promise<Ports>
  /**
   * Tells of every world that there is, and of each that is opened, before it is given: created, reset or restored. Of
   * the latter two with what it was before: what is kept of a world is kept by its ports, and so goes with it.
   */
  onOpen(listener: WorldListener): void
}

export type WorldListener = (ports: Ports, before?: Ports) => void | Promise<void>

export interface WorldPlan {
  name: string
  /** The world that it is a copy of, in the place of fixtures. */
  from?: string | undefined
  /** Makes every id and token a function of this text and of the calls; without it they are random. */
  seed?: string | undefined
  /** Where its clock starts, in milliseconds since the epoch; real time without it. */
  now?: number | undefined
  /** Whether its clock stands at first. */
  frozen?: boolean | undefined
  /** Seconds of real time after which it is deleted. */
  expiresIn?: number | undefined
  /** `retry:` of its streams; STREAM_RETRY_MS without it. */
  streamRetryMs?: number | undefined
  /** How its replies vary at first. */
  variation?: Variation | undefined
}

export interface WorldDescription extends WorldPlan {
  /** Milliseconds since the epoch, in real time. */
  createdAt: number
}

/** The only source of time. */
export interface Clock {
  /** Milliseconds since the epoch, by the world's clock. Read once per use case and handed down. */
  now(): number
}

/** How the world's clock stands against real time. */
export interface ClockState {
  /** Milliseconds since the epoch. */
  now: number
  frozen: boolean
  /** World time minus real time, in milliseconds; 0 while the clock stands, which has no distance. */
  offsetMs: number
  realNow: number
}

export interface ClockMove extends ClockState {
  /** How many tasks fell due on the way, and what the first of them are; `at` in milliseconds since the epoch. */
  due: number
  fellDue: readonly { at: number; what: string }[]
}

/** Moves the world's clock. What falls due on the way happens in order before the call returns. */
export interface ClockControl {
  read(): ClockState
  /** Any time, also an earlier one; what is left out stays as it is. */
  set(change: { now?: number | undefined; frozen?: boolean | undefined }): Promise<ClockMove>
  advance(milliseconds: number): Promise<ClockMove>
  /** Back to real time, running. */
  reset(): Promise<ClockMove>
}

/** What must happen by itself, on the world's time; heartbeats and waiting run on real time. */
export interface Scheduler {
  /**
   * Does `work` once the world's clock reaches `at` (milliseconds since the epoch); the returned function cancels it.
   * `work` is told how far the clock is on its way: to the end of a move, or to now. `what` names it; while a task of
   * that name waits, no second one is taken.
   */
  schedule(at: number, work: (until: number) => void | Promise<void>, what?: string): () => void
}

/** Long work gives way between its steps, so that no other request waits for it. */
export interface Turns {
  /** Nothing while the work has not held the event loop for long; to be awaited. */
  give(): Promise<void> | undefined
}

/** The only source of chance: ids, tokens and keys are pure functions of what it draws. */
export interface Random {
  /** Each `kind` draws from a sequence of its own, so that unrelated calls cannot shift each other's ids. */
  bytes(kind: string, length: number): Promise<Uint8Array>
}

export interface Digests {
  /** SHA-256 in lower-case hexadecimal; text is taken as UTF-8. */
  sha256(content: string | Uint8Array): string
  /** HMAC-SHA-256, 32 bytes. */
  hmac(key: string, text: string): Uint8Array
  /** Compares in constant time; texts of different length differ. */
  equal(a: string, b: string): boolean
}

/** Bytes by their SHA-256 in hexadecimal; putting the same bytes twice keeps them once. */
export interface Blobs {
  put(digest: string, bytes: Uint8Array): Promise<void>
  get(digest: string): Promise<Uint8Array | undefined>
  delete(digest: string): Promise<void>
}

/** The real US zip codes: reference data that never changes and that all worlds share. */
export interface ZipCodes {
  /** The record of a zip code in use. */
  find(zipCode: string): ZipCodeRecord | undefined
}

/** Committed records by collection, and transactions over them. */
export type Store = View & {
  /**
   * All or nothing, serialisable. `work` may run more than once, so it touches nothing but `tx`;
   * what must happen once happens after it. Does not nest.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Resolves when the engine answers; readiness asks it. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `collection(name)` is for those to whom all collections are alike. */
export type View = { readonly [N in CollectionName]: Reader<N> } & {
  collection<N extends CollectionName>(name: N): Reader<N>
}
export type Transaction = { readonly [N in CollectionName]: Writer<N> } & {
  collection<N extends CollectionName>(name: N): Writer<N>
}

export interface Reader<N extends CollectionName> {
  get(key: string): Promise<RecordOf<N> | undefined>
  find(query?: Query<N>): Promise<RecordOf<N>[]>
  /** How many records `find` would give without offset and limit. */
  count(where?: Where<N>, asOf?: number): Promise<number>
}

export interface Writer<N extends CollectionName> extends Reader<N> {
  /** Checks the record against its schema, freezes it, and puts it in the place of the one with its key. */
  put(record: RecordOf<N>): Promise<void>
  delete(key: string): Promise<boolean>
}

/** Equality on fields of the collection's key and indexes; an array means any of its values. */
export type Where<N extends CollectionName> = {
  readonly [F in FieldOf<N>]?: Scalar | readonly Scalar[] | undefined
}

export type Scalar = string | number | boolean

export interface Query<N extends CollectionName> {
  where?: Where<N>
  /** By key, ascending, unless said otherwise; equal values are ordered by key. */
  orderBy?: { field: string; direction: 'asc' | 'desc' }
  offset?: number
  limit?: number
  /**
   * In milliseconds since the epoch: a field of the collection that lapses is then looked at, and ordered by, as it is
   * at that instant. Without it, as the records say; the records that are given are always as they are kept.
   */
  asOf?: number
}

/** A put would give two records one value of a unique index. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** A private key that cannot be read, or that is not of the kind asked for. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** The engine behind a port cannot be reached; the documents' plugins answer it each in their way. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** The engine is there, and was too long about it. */
export class TookTooLong extends Unavailable {}

/** The world was deleted, reset or restored while a call ran in it; the documents' plugins answer it as not found. */
export class WorldEnded extends Error {
  override readonly name = 'WorldEnded'

  constructor(world?: string) {
    super(`the world ${world === undefined ? '' : `${world} `}was deleted or begun anew while the call ran`)
  }
}

/** What was kept cannot be gone on with; the message says why, for the person who starts the server. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}

/** Something that happened on a device, and whom it concerns. */
export interface PlatformEvent {
  envelope: EventEnvelope
  locationId: string
  deviceId: string
  /** Installed apps that may use the device, and the apps they are installed from. */
  installedAppIds: readonly string[]
  appIds: readonly string[]
}

export interface PublishedEvent extends PlatformEvent {
  /** Grows with every event of a world, over restarts too. */
  sequence: number
}

/** What live streams must learn of, wherever it happened. */
export type Notice =
  | { kind: 'subscription-changed'; subscription: Subscription }
  | { kind: 'subscription-deleted'; subscriptionId: string }
  | { kind: 'token-ended'; tokenDigest: string }
  /** Streams of the subscription with an older generation give way. */
  | { kind: 'stream-taken'; subscriptionId: string; generation: number }
  /** Told to itself by an instance that was cut off, or has missed something: its streams end. */
  | { kind: 'claims-over' }
  /** Every instance plays it, so that one that dies stops nothing. */
  | { kind: 'scenario-started'; scenarioId: string }

/**
 * Carries a world's events and notices to every part and every instance of the server, in one order; keeps the recent
 * events, so that a stream resumes on any instance; and knows which subscription is streamed, so that one token holds
 * one stream over all of them.
 */
export interface Bus {
  /** Resolves when the event has its sequence and is in the history. */
  publish(event: PlatformEvent): Promise<void>
  announce(notice: Notice): Promise<void>
  /** The returned function ends it. */
  listen(listener: BusListener): () => void
  /** Sequence of the event that listeners of this instance got last. */
  head(): number
  history(after: number): Promise<History>

  findClaim(by: { subscriptionId: string } | { tokenDigest: string }): Promise<StreamClaim | undefined>
  /**
   * Takes the place of a subscription and of a token, from an older stream of the same subscription if there is one.
   * A claim holds until it is released, taken over, or its instance is gone.
   */
  claim(claim: StreamClaim): Promise<'granted' | 'token-in-use' | 'newer-stream'>
  release(claim: StreamClaim): Promise<void>

  /** Whether this instance, of all that live, is the one to do a task of the world's that must be done once. */
  leads(task: string): Promise<boolean>
  /** Does `work` while no other instance does the same task; rejects with Unavailable when one is long about it. */
  alone(task: string, work: () => Promise<void>): Promise<void>

  ping(): Promise<void>
  close(): Promise<void>
}

export interface BusListener {
  onEvent(event: PublishedEvent): void
  onNotice(notice: Notice): void
}

export interface History {
  /** Those after the sequence asked for, in order. */
  events: readonly PublishedEvent[]
  /** Whether these are all there were: older ones are forgotten. */
  complete: boolean
}

export interface StreamClaim {
  subscriptionId: string
  /** The token that the stream counts for: it has one at a time. */
  tokenDigest: string
  generation: number
}

/** The live streams of this instance, for those who look after them. */
export interface Streams<S extends OpenStream = OpenStream> {
  /** In the place of the subscription's other one, which ends. */
  add(stream: S): void
  remove(stream: S): void
  find(subscriptionId: string): S | undefined
  list(): S[]
  readonly size: number
  /** The ways in which streams have ended so far. */
  readonly endings: ReadonlySet<StreamEnding>
  /** Whether the world has ended: whoever comes now must end too. */
  readonly isOver: boolean
  /** Ends all; for good at the world's end. */
  close(forGood?: boolean): void
}

export interface OpenStream {
  readonly subscriptionId: string
  /** How it has ended, once it has. */
  readonly ending: StreamEnding
  describe(): StreamDescription
  disturb(chaos: Chaos): void
  end(): void
}

/** What happened in a world: bounded, newest kept. Ids count from 1 and begin again when it is emptied. */
export interface Journal {
  /** The id that it has from now on. */
  record(record: JournalRecord): number
  /** Completes a record that was kept while it waited for its reply; one that is forgotten by then is kept anew. */
  complete(id: number, record: JournalRecord, whole: JournalRecord): void
  /** Newest first, between two ids, both left out. Takes breaks, so that reading never holds up the server. */
  scan(range?: { before?: number | undefined; after?: number }): AsyncIterable<{ id: number; record: JournalRecord }>
  find(id: number): JournalRecord | undefined
  /** Id of the newest entry; 0 when there is none. */
  newest(): number
  /** Another number whenever a record came or was completed. */
  revision(): number
  /**
   * Waits until `revision` is no longer `after`; resolves to what is left of `withinMs` (milliseconds of real time), 0
   * when it is over. Rejects with the reason of `signal` when that is aborted.
   */
  next(after: number, withinMs: number, signal?: AbortSignal): Promise<number>
  clear(): void
  /** Who waits from now on, or does already, is told the reason. */
  end(reason: Error): void
}

/** An entry as it is kept: what most are found by, and the whole of it, which is made when somebody reads it. */
export interface JournalRecord
  extends Pick<JournalEntry, 'kind' | 'operation' | 'method' | 'path' | 'status' | 'caller' | 'requestId'> {
  /** In milliseconds since the epoch, by the world's clock. */
  at: number
  /** What it holds, in bytes, about. */
  weight: number
  /** The whole of it, or what was sent alone: reading the reply is half of the work. */
  read(id: number, only?: 'request'): JournalEntry
  /** It came, and its reply has not left. */
  waits?: boolean
}

/** Failures to provoke, kept with what they have done. */
export interface Faults {
  add(draft: Omit<Fault, 'faultId' | 'struck'>, faultId: string): Fault
  list(): Fault[]
  any(): boolean
  /** False when it has been spent or removed since it was listed. */
  strike(faultId: string): boolean
  delete(faultId: string): boolean
  clear(): void
}

/** How the replies of a world vary in what the documents leave open. */
export interface Variations {
  /** Nothing: they do not. */
  read(): Variation | undefined
  set(variation: Variation | undefined): void
  /** Number of the next reply, from 1. */
  next(): number
}

/** Document 2, section 5: the security factors of the wallet's partner flow; keys, requests, certificates are PEM. */
export interface Certificates {
  /** An RSA key of 2048 bits, encrypted when there is a passphrase. */
  newKey(passphrase?: string): Promise<string>
  /** A request signed with SHA-256. Throws UnusableKey. */
  newRequest(key: { pem: string; passphrase?: string | undefined }, fields: RequestFields): Promise<string>
  /** What a request holds; nothing when the text is none. */
  readRequest(pem: string): Promise<SigningRequest | undefined>
  /** Signs a readable request by the local authority, which is made on first use. `now` in milliseconds. */
  sign(pem: string, now: number): Promise<SignedCertificate>
}
