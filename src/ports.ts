import type { Certificates } from './ports/certificates.ts'
import type { Faults } from './ports/faults.ts'
import type { Journal } from './ports/journal.ts'
import type { Bus, Streams } from './ports/streams.ts'
import type { CollectionName, FieldOf, RecordOf } from './schemas/collections.ts'
import type { Snapshot } from './schemas/snapshot.ts'
import type { ZipCodeRecord } from './schemas/zip-code.ts'

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
  random: Random
  digests: Digests
  blobs: Blobs
  zipCodes: ZipCodes
  certificates: Certificates
}

/** The world a request without a name finds. */
export const DEFAULT_WORLD = 'default'

export interface World {
  name: string
  /** PUBLIC_URL, where links that we hand out begin; absent: the address the request came to. */
  publicUrl: string | undefined
  /** What its ids are a function of; absent: they are random. */
  seed: string | undefined
  /** SUBSCRIPTION_TTL in milliseconds: a subscription that nobody opens for so long is dropped; absent: never. */
  subscriptionTtl: number | undefined
}

/** Workspaces: each has its own records, clock, ids, faults, journal, outbox and streams. */
export interface Worlds {
  find(name: string): Ports | undefined
  /** The same, once it is sure that no other instance has made it just now. */
  look(name: string): Promise<Ports | undefined>
  list(): WorldDescription[]
  /** Nothing when the name is in use. It starts with the fixtures. */
  create(plan: WorldPlan): Promise<Ports | undefined>
  /** Whether there was one; its streams end. */
  delete(name: string): Promise<boolean>
  /** As it was at its start; live streams end. */
  reset(name: string): Promise<Ports>
  /** As the snapshot says; live streams end. */
  restore(name: string, snapshot: Snapshot): Promise<Ports>
  /** Tells of every world that there is, and of each that is opened: created, reset or restored. */
  onOpen(listener: (ports: Ports) => void): void
}

export interface WorldPlan {
  name: string
  /** Makes every id and token a function of this text and of the calls; without it they are random. */
  seed?: string | undefined
  /** Where its clock starts, in milliseconds since the epoch; real time without it. */
  now?: number | undefined
  /** Seconds of real time after which it is deleted. */
  expiresIn?: number | undefined
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
  /** World time minus real time, in milliseconds, as it stands now. */
  offsetMs: number
}

/** Moves the world's clock. What falls due on the way happens in order before the call returns. */
export interface ClockControl {
  read(): ClockState
  /** Any time, also an earlier one; what is left out stays as it is. */
  set(change: { now?: number | undefined; frozen?: boolean | undefined }): Promise<ClockState>
  advance(milliseconds: number): Promise<ClockState>
  /** Back to real time, running. */
  reset(): Promise<ClockState>
}

/**
 * What must happen by itself, on the world's time. Heartbeats and waiting run on real time and are no business of it.
 */
export interface Scheduler {
  /**
   * Does `work` once the world's clock reaches `at` (milliseconds since the epoch); the returned function cancels it.
   */
  schedule(at: number, work: () => void | Promise<void>): () => void
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

export type View = { readonly [N in CollectionName]: Reader<N> }
export type Transaction = { readonly [N in CollectionName]: Writer<N> }

export interface Reader<N extends CollectionName> {
  get(key: string): Promise<RecordOf<N> | undefined>
  find(query?: Query<N>): Promise<RecordOf<N>[]>
  /** How many records `find` would give without offset and limit. */
  count(where?: Where<N>): Promise<number>
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

/** What was kept cannot be gone on with; the message says why, for the person who starts the server. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}
