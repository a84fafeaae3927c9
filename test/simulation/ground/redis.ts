import { EventEmitter } from 'node:events'
import { Channel, machine } from './machine.ts'
import type { RedisServer } from './redis-server.ts'
import { type Life, NOBODY, type Timer } from './scheduler.ts'

/** Where instances reach the server, by its address; an instance that is cut off reaches nothing. */
export interface Network {
  redis: RedisServer
  reaches(life: Life): boolean
}

export const networks = new Map<string, Network>()
/** Of all lives, so that a failing network can be made to break them. */
export const connections = new Set<Redis>()

interface Options {
  commandTimeout?: number
  socketTimeout: number
  enableOfflineQueue?: boolean
}

type Waiting = { reject: (error: Error) => void; since: number }

const RECONNECT = 50

/** In the place of `ioredis`: a connection whose commands and replies travel as long as the seed says, in order. */
export class Redis extends EventEmitter {
  status = 'wait'
  readonly life: Life
  readonly #network: Network
  readonly #options: Options
  #there = new Channel()
  #back = new Channel()
  readonly #waiting = new Set<Waiting>()

  constructor(url: string, options: Options) {
    super()
    this.#network = networks.get(url)!
    this.#options = options
    this.life = machine.scheduler.current!
    connections.add(this)
  }

  async connect(): Promise<void> {
    await machine.scheduler.gate()
    if (!this.#isReachable) {
      this.#reconnect()
      throw new Error('connect ECONNREFUSED')
    }
    this.#begin()
  }

  call(command: string, ...values: (string | number)[]): Promise<unknown> {
    const texts = values.map(String)
    if (command === 'XREAD') return this.#read(texts)
    return this.#ask((server) => server.run(command, ...texts))
  }

  eval(script: string, count: number, ...given: (string | number)[]): Promise<unknown> {
    const texts = given.map(String)
    return this.#ask((server) => server.script(script, texts.slice(0, count), texts.slice(count)))
  }

  del(key: string): Promise<unknown> {
    return this.call('DEL', key)
  }

  disconnect(): void {
    this.#break('end')
    connections.delete(this)
  }

  /** The connection is gone, and with it what was under way: the program connects again by itself. */
  break(): void {
    if (this.status === 'ready') this.#break('reconnecting')
  }

  /** The line is dead, and nobody is told. */
  silence(): void {
    this.#there.cut()
    this.#back.cut()
  }

  get #isReachable(): boolean {
    return this.#network.redis.isUp && this.#network.reaches(this.life)
  }

  #begin(): void {
    this.#there = new Channel()
    this.#back = new Channel()
    this.status = 'ready'
    this.emit('ready')
  }

  #break(status: 'end' | 'reconnecting'): void {
    this.status = status
    this.silence()
    for (const { reject } of this.#waiting)
      machine.scheduler.soon(() => reject(new Error('Connection is closed.')), this.life)
    this.#waiting.clear()
    if (status === 'reconnecting') this.#reconnect()
  }

  #reconnect(): void {
    this.status = 'reconnecting'
    const again = () => {
      if (this.status !== 'reconnecting') return
      if (this.#isReachable) this.#begin()
      else this.#reconnect()
    }
    machine.scheduler.in(RECONNECT * (this.#isReachable ? 1 : 10), again, { owner: this.life })
  }

  /** A command that nobody answers is given up, and the connection with it. */
  #ask(run: (server: RedisServer) => unknown, patience = this.#options.commandTimeout): Promise<unknown> {
    return this.#send(patience, (answer) => {
      answer(run(this.#network.redis))
    })
  }

  /** Waits at the server for an entry. */
  #read(values: readonly string[]): Promise<unknown> {
    const names = values.slice(values.indexOf('STREAMS') + 1)
    const half = names.length / 2
    const streams = names.slice(0, half).map((key, i) => [key, names[half + i]!] as const)
    const wait = Number(values[values.indexOf('BLOCK') + 1])
    return this.#send(undefined, (answer) => {
      const { redis } = this.#network
      let timer: Timer | undefined
      const end = () => {
        if (timer) timer.isOver = true
        redis.waiting.delete(look)
      }
      const look = (): boolean => {
        const found = redis.read(streams)
        if (!found && this.life.isAlive) return false
        end()
        if (found) answer(found)
        return true
      }
      if (look()) return
      redis.waiting.add(look)
      const giveUp = () => {
        end()
        answer(null)
      }
      timer = machine.scheduler.in(wait, giveUp, { owner: this.life })
    })
  }

  #send(patience: number | undefined, arrive: (answer: (value: unknown) => void) => void): Promise<unknown> {
    const { scheduler } = machine
    return new Promise((resolve, reject) => {
      if (this.status !== 'ready')
        return reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"))
      const waiting = { reject, since: scheduler.now }
      this.#waiting.add(waiting)
      const [there, back] = [this.#there, this.#back]
      const timer = scheduler.in(patience ?? this.#options.socketTimeout, () => {
        if (!this.#waiting.delete(waiting)) return
        reject(new Error('Command timed out'))
        this.break()
      })
      const answer = (value: unknown) =>
        back.send(() => {
          timer.isOver = true
          this.#waiting.delete(waiting)
          resolve(value)
        }, this.life)
      // Nobody owns what is in the network: it may arrive though its sender is gone.
      there.send(() => arrive(answer), NOBODY)
      return undefined
    })
  }
}
