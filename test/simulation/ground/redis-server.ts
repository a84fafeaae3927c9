import { machine } from './machine.ts'
import { START } from './scheduler.ts'

type Entry = [id: string, fields: string[]]
type Values = Map<string, { kept: Kept; until: number }>
type Kept = string | Map<string, string> | Set<string> | Entry[]

/** A Redis server as far as the program's commands go. Its scripts are written anew here, whole as there. */
export class RedisServer {
  isUp = true
  #values: Values = new Map()
  #copy: Values | undefined
  /** Told when an entry has come, by those that wait for one. */
  readonly waiting = new Set<() => unknown>()

  /** Keeps what there is now, as a disk does; a restart may go back to it. */
  save(): void {
    this.#copy = structuredClone(this.#values)
  }

  forget(what: 'all' | 'since the last save'): void {
    this.#values = what === 'all' ? new Map() : structuredClone(this.#copy ?? new Map())
  }

  run(command: string, ...[key = '', ...values]: string[]): unknown {
    const [first = ''] = values
    switch (command) {
      case 'PING':
        return 'PONG'
      case 'GET':
        return this.#get<string>(key) ?? null
      case 'MGET':
        return [key, ...values].map((each) => this.#get<string>(each) ?? null)
      case 'SET':
        if (values.includes('NX') && this.#get(key) !== undefined) return null
        this.#put(key, first, lifetime(values))
        return 'OK'
      case 'DEL':
        return [key, ...values].filter((each) => this.#values.delete(each)).length
      case 'EXPIRE':
      case 'PEXPIRE':
        this.#put(key, this.#get(key)!, Number(first) * (command === 'EXPIRE' ? 1000 : 1))
        return 1
      case 'SADD':
        this.#of(key, () => new Set<string>()).add(first)
        return 1
      case 'SREM':
        for (const each of values) this.#get<Set<string>>(key)?.delete(each)
        return 1
      case 'SMEMBERS':
        return [...(this.#get<Set<string>>(key) ?? [])]
      case 'HGET':
        return this.#get<Map<string, string>>(key)?.get(first) ?? null
      case 'HMGET':
        return values.map((each) => this.#get<Map<string, string>>(key)?.get(each) ?? null)
      case 'XADD':
        return this.#append(key, values.slice(values.findIndex((each) => /^\*$|^\d+-\d+$/.test(each))))
      case 'XREVRANGE':
        return this.#entries(key).slice(-1)
      default:
        throw new Error(`the simulated Redis server does not know ${command}`)
    }
  }

  /** Entries after those named, by stream; nothing when there are none. */
  read(streams: readonly (readonly [key: string, after: string])[]): [string, Entry[]][] | null {
    const found = streams.flatMap(([key, after]): [string, Entry[]][] => {
      const entries = this.#entries(key).filter(([id]) => compare(id, after) > 0)
      return entries.length > 0 ? [[key, entries]] : []
    })
    return found.length > 0 ? found : null
  }

  /** The scripts of `src/server/adapters/redis/scripts.ts`, by what is special to each. */
  script(text: string, keys: readonly string[], values: readonly string[]): unknown {
    if (text.includes("'INCR'")) return this.#appendNumbered(keys, values)
    if (text.includes("'XRANGE'")) return this.#history(keys, values)
    if (text.includes("'HSET', KEYS[1], ARGV[1], ARGV[3]")) return this.#lead(keys[0]!, values)
    if (text.includes("'DEL', KEYS[1]")) return this.#get(keys[0]!) === values[0] ? this.run('DEL', keys[0]!) : 1
    if (text.includes("'granted'")) return this.#claim(keys, values)
    if (text.includes('cjson.encode')) return this.#claimOf(keys[0]!, values[1]!, values[0]!)?.text ?? null
    if (text.includes("'HDEL', KEYS[1], ARGV[2]")) return this.#release(keys, values)
    throw new Error(`the simulated Redis server does not know the script ${text}`)
  }

  #appendNumbered([log = '', head = '']: readonly string[], [next = '', known, kind, value]: readonly string[]) {
    if (Number(this.#get(head) ?? -1) < Number(known)) {
      this.run('DEL', log)
      this.#put(head, next)
    }
    const isNotice = kind === 'notice'
    const number = Number(this.#get(head) ?? 0) + (isNotice ? 0 : 1)
    this.#put(head, String(number))
    const last = Number(this.#entries(log).at(-1)?.[0].split('-')[1] ?? -1)
    const place = isNotice ? Math.max((START + machine.scheduler.now) * 1000, last + 1) : 0
    this.#append(log, [`${number}-${place}`, kind!, value!])
    return String(number)
  }

  #history([log = '', head = '']: readonly string[], [from = '']: readonly string[]) {
    const entries = this.#entries(log)
    const since = entries.filter(([id]) => compare(id, from) >= 0)
    return [this.#get<string>(head) ?? '-1', entries[0]?.[0] ?? '', since]
  }

  #lead(key: string, [task = '', leases, instance = '']: readonly string[]): number {
    const leaders = this.#of(key, () => new Map<string, string>())
    const holder = leaders.get(task)
    if (holder === instance) return 1
    if (holder !== undefined && this.#get(leases + holder) !== undefined) return 0
    leaders.set(task, instance)
    return 1
  }

  #claimOf(key: string, subscription: string, leases: string) {
    const text = this.#get<Map<string, string>>(key)?.get(subscription)
    if (text === undefined) return undefined
    const claim = JSON.parse(text) as { tokenDigest: string; generation: number; instance: string }
    return this.#get(leases + claim.instance) === undefined ? undefined : { ...claim, text }
  }

  #claim([claims = '', tokens = '', head = '']: readonly string[], values: readonly string[]) {
    const [leases = '', subscription = '', token = '', generation, instance = ''] = values
    const byToken = this.#of(tokens, () => new Map<string, string>())
    const holder = byToken.get(token)
    if (holder !== undefined && holder !== subscription) {
      if (this.#claimOf(claims, holder, leases)?.tokenDigest === token) return ['token-in-use', '0']
    }
    const older = this.#claimOf(claims, subscription, leases)
    if (older && older.generation > Number(generation)) return ['newer-stream', '0']
    if (older && byToken.get(older.tokenDigest) === subscription) byToken.delete(older.tokenDigest)
    const text = JSON.stringify({ tokenDigest: token, generation: Number(generation), instance })
    this.#of(claims, () => new Map<string, string>()).set(subscription, text)
    byToken.set(token, subscription)
    return ['granted', this.#get<string>(head) ?? '0']
  }

  #release([claims = '', tokens = '']: readonly string[], values: readonly string[]): number {
    const [, subscription = '', token = '', generation, instance] = values
    const bySubscription = this.#get<Map<string, string>>(claims)
    const claim = JSON.parse(bySubscription?.get(subscription) ?? '{}') as Record<string, unknown>
    if (claim['generation'] !== Number(generation) || claim['instance'] !== instance) return 0
    bySubscription?.delete(subscription)
    const byToken = this.#get<Map<string, string>>(tokens)
    if (byToken?.get(token) === subscription) byToken.delete(token)
    return 1
  }

  #append(key: string, [asked = '', ...fields]: string[]): string {
    const entries = this.#of(key, (): Entry[] => [])
    const last = Number(entries.at(-1)?.[0].split('-')[0] ?? 0)
    const id = asked === '*' ? `${Math.max(last + 1, machine.scheduler.now)}-0` : asked
    entries.push([id, fields])
    for (const look of this.waiting) look()
    return id
  }

  #entries(key: string): Entry[] {
    return this.#get<Entry[]>(key) ?? []
  }

  #get<T extends Kept>(key: string): T | undefined {
    const value = this.#values.get(key)
    if (value && value.until <= machine.scheduler.now) this.#values.delete(key)
    else return value?.kept as T | undefined
    return undefined
  }

  #put(key: string, kept: Kept, lifetime = Infinity): void {
    this.#values.set(key, { kept, until: machine.scheduler.now + lifetime })
  }

  #of<T extends Kept>(key: string, make: () => T): T {
    if (this.#get(key) === undefined) this.#put(key, make())
    return this.#get<T>(key)!
  }
}

function lifetime(values: readonly string[]): number {
  const [px, ex] = [values.indexOf('PX'), values.indexOf('EX')]
  if (px > 0) return Number(values[px + 1])
  return ex > 0 ? Number(values[ex + 1]) * 1000 : Infinity
}

function compare(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((id) => id.split('-').map(Number))
  return left[0]! - right[0]! || (left[1] ?? 0) - (right[1] ?? 0)
}
