import { createJobQueue } from '../../../src/server/adapters/job-queue.ts'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../src/server/app.ts'
import { createZipCodeTable } from '../../../src/server/adapters/node/zip-codes.ts'
import { systemClock } from '../../../src/server/adapters/node/clock.ts'
import type { Ports } from '../../../src/server/ports.ts'
import type { JobQueue } from '../../../src/server/ports/job-queue.ts'
import type { Worlds } from '../../../src/server/ports/worlds.ts'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { openEngine } from '../../../src/server/runtime.ts'
import type { WorldRegistry } from '../../../src/server/worlds/registry.ts'
import { createMemoryWorlds } from '../../../src/server/worlds/memory-worlds.ts'
import type { WorldSettings } from '../../../src/server/worlds/running-world.ts'
import { createStoredWorlds } from '../../../src/server/worlds/stored-worlds.ts'
import { Disk, disks } from './disk.ts'
import { machine } from './machine.ts'
import { DatabaseServer, servers } from './postgres.ts'
import { type Life, NOBODY } from './scheduler.ts'
import { smallWorld } from './small-world.ts'
import type { SimulatedSocket } from './socket.ts'

/** The engine that stores the worlds of a run. */
export type Ground = 'memory' | 'disk' | 'shared'

const HEARTBEAT_SECONDS = 20
const MOST = 3
/** Milliseconds after which an instance is started again if it could not start. */
const RETRY = 500

/** An app, which is reused when its instance restarts, because building an app takes longer than a hundred requests. */
export class Place {
  readonly number: number
  registry: WorldRegistry | undefined
  life: Life | undefined
  readonly sockets = new Set<SimulatedSocket>()
  readonly intervals: [run: () => void, milliseconds: number][] = []
  readonly #listeners: ((ports: Ports) => void)[] = []
  #jobs = createJobQueue()
  app!: FastifyInstance

  constructor(number: number) {
    this.number = number
  }

  async build(): Promise<void> {
    const here = () => this.registry!
    const worlds: Worlds = {
      get fixtures() {
        return here().fixtures
      },
      get size() {
        return here().size
      },
      find: (name) => here().find(name),
      look: (name) => here().look(name),
      describe: (name) => here().describe(name),
      list: () => here().list(),
      create: (plan) => here().create(plan),
      delete: (name) => here().delete(name),
      reset: (name) => here().reset(name),
      restore: (name, snapshot, head) => here().restore(name, snapshot, head),
      copy: (ports) => here().copy(ports),
      onOpen: (listener) => void this.#listeners.push(listener),
    }
    machine.whenInterval = (run, milliseconds) => this.intervals.push([run, milliseconds])
    const jobs: JobQueue = {
      run: (job) => this.#jobs.run(job),
      stream: (texts) => this.#jobs.stream(texts),
    }
    const control = { open: true, worlds, jobs, version: 'simulated' }
    this.app = buildApp({ worlds, control, events: { heartbeatSeconds: HEARTBEAT_SECONDS } })
    const ready = { is: false }
    this.app.ready(() => {
      ready.is = true
    })
    while (!ready.is) if (!(await machine.scheduler.step())) await machine.scheduler.within(NOBODY, () => {})
    machine.whenInterval = undefined
  }

  begin(registry: WorldRegistry): void {
    this.registry = registry
    // The jobs of a crashed process would never leave the old queue, so a new one is created.
    this.#jobs = createJobQueue()
    for (const listener of this.#listeners) registry.onOpen(listener)
    for (const [run, every] of this.intervals) machine.scheduler.in(every, run, { repeat: true })
  }
}

const places: Place[] = []

/** Builds the apps, which are used for all seeds. */
export async function buildPlaces(): Promise<void> {
  machine.install()
  for (let number = 0; number < MOST; number++) {
    places.push(new Place(number))
    await places[number]!.build()
  }
}

export class Cluster {
  readonly ground: Ground
  readonly places: readonly Place[]
  readonly disk = new Disk()
  readonly database = new DatabaseServer()
  /** Instances that cannot reach any server. */
  readonly cutOff = new Set<Life>()
  #lives = 0
  readonly #settings: WorldSettings

  constructor(ground: Ground, count: number, root: string) {
    this.ground = ground
    this.places = places.slice(0, count)
    zipCodes ??= createZipCodeTable(join(root, 'fixtures/zip-codes.tsv.gz'))
    this.#settings = {
      fixtures: smallWorld,
      zipCodes,
      clock: systemClock,
      publicUrl: undefined,
      subscriptionTtl: undefined,
      streamRetryMs: 3000,
    }
    this.database.reaches = (life) => !this.cutOff.has(life)
    disks.set('disk/vendor-cloud.db', this.disk)
    servers.set('database', this.database)
  }

  get up(): Place[] {
    return this.places.filter(({ registry }) => registry !== undefined)
  }

  get down(): Place[] {
    return this.places.filter(({ life }) => life === undefined)
  }

  start(place: Place): void {
    if (place.life) return
    const life: Life = { name: `${place.number}.${this.#lives++}`, isAlive: true, isPaused: false }
    place.life = life
    const again = () => {
      this.end(place)
      machine.scheduler.in(RETRY, () => this.start(place), { owner: NOBODY })
    }
    const open = () => this.#open().then((registry) => place.begin(registry), again)
    machine.scheduler.soon(open, life)
  }

  /** Ends an instance immediately, like `kill -9`. */
  end(place: Place): void {
    const { life } = place
    if (!life) return
    machine.scheduler.end(life)
    for (const session of this.#sessionsOf(life)) session.end()
    for (const socket of place.sockets) socket.destroy()
    place.sockets.clear()
    place.registry = undefined
    place.life = undefined
    this.disk.lose()
  }

  /** Cuts the connection of an instance. The instance notices this only later. */
  cut(place: Place): void {
    this.cutOff.add(place.life!)
    for (const session of this.#sessionsOf(place.life!)) session.silence()
  }

  /** Breaks the connections of all instances at the same time. */
  restartDatabase(): void {
    for (const session of this.database.log.sessions) session.break()
  }

  heal(): void {
    this.disk.isFull = false
    this.disk.failEvery = this.database.failEvery = 0
    this.database.isUp = true
    this.cutOff.clear()
    for (const { life } of this.places) if (life) life.isPaused = false
  }

  #sessionsOf(life: Life) {
    return [...this.database.log.sessions].filter((session) => session.life === life)
  }

  async #open(): Promise<WorldRegistry> {
    const plan = { name: DEFAULT_WORLD, seed: undefined }
    if (this.ground === 'memory') return createMemoryWorlds(this.#settings, plan)
    const config = this.ground === 'disk' ? { DATA_DIR: 'disk' } : { DATABASE_URL: 'database' }
    const engine = await openEngine(config, systemClock)
    return createStoredWorlds(this.#settings, engine!, plan, undefined)
  }
}

let zipCodes: WorldSettings['zipCodes'] | undefined
