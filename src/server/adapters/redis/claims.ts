import type { Bus, StreamClaim } from '../../ports/bus.ts'
import type { RedisLink } from './link.ts'
import { claimScript, findClaimScript, releaseScript } from './scripts.ts'

type Outcome = Awaited<ReturnType<Bus['claim']>>

/** All instances share the claims; `key` begins the world's keys. */
export class RedisClaims {
  readonly #link: RedisLink
  readonly #keys: readonly [bySubscription: string, byToken: string, head: string]
  readonly #leases: string
  readonly #own = new Map<string, StreamClaim>()
  /** These claims are over here while the server may still hold them. */
  readonly #over = new Set<StreamClaim>()

  constructor(link: RedisLink, key: string) {
    this.#link = link
    this.#keys = [`${key}claims`, `${key}tokens`, `${key}head`]
    this.#leases = `${link.prefix}instance:`
  }

  get keys(): readonly string[] {
    return this.#keys
  }

  async find(by: { subscriptionId: string } | { tokenDigest: string }): Promise<StreamClaim | undefined> {
    const subscriptionId = 'subscriptionId' in by ? by.subscriptionId : await this.#holderOf(by.tokenDigest)
    if (subscriptionId === undefined) return undefined
    const text = (await this.#link.run(findClaimScript, this.#keys, [this.#leases, subscriptionId])) as string | null
    if (text === null) return undefined
    const { tokenDigest, generation } = JSON.parse(text) as StreamClaim
    if ('tokenDigest' in by && by.tokenDigest !== tokenDigest) return undefined
    return { subscriptionId, tokenDigest, generation }
  }

  /** Also gives the number of the world's last event. */
  async claim(claim: StreamClaim): Promise<{ outcome: Outcome; head: number }> {
    try {
      const taken = await this.#take(claim)
      if (taken.outcome === 'granted') this.#own.set(claim.subscriptionId, claim)
      return taken
    } catch (error) {
      // The release may have happened all the same.
      this.#over.add(claim)
      throw error
    }
  }

  /** A claim that cannot be released now is released when the server is back. */
  async release(claim: StreamClaim): Promise<void> {
    if (this.#own.get(claim.subscriptionId)?.generation === claim.generation) this.#own.delete(claim.subscriptionId)
    this.#over.add(claim)
    await this.#releaseAll().catch(() => {})
  }

  /**
   * The server may have forgotten claims, and others may have taken some that they thought free. Gives the lost ones.
   */
  async keep(): Promise<StreamClaim[]> {
    await this.#releaseAll()
    const lost: StreamClaim[] = []
    for (const claim of await this.#findMissing()) {
      const { outcome } = await this.#take(claim)
      const isStillOurs = this.#own.get(claim.subscriptionId) === claim
      if (outcome === 'granted' && isStillOurs) continue
      if (outcome === 'granted') this.#over.add(claim)
      else if (isStillOurs) {
        this.#own.delete(claim.subscriptionId)
        lost.push(claim)
      }
    }
    return lost
  }

  async #take(claim: StreamClaim): Promise<{ outcome: Outcome; head: number }> {
    const [outcome, head] = (await this.#link.run(claimScript, this.#keys, this.#valuesOf(claim))) as [Outcome, string]
    return { outcome, head: Number(head) }
  }

  async #releaseAll(): Promise<void> {
    for (const claim of this.#over) {
      await this.#link.run(releaseScript, this.#keys, this.#valuesOf(claim))
      this.#over.delete(claim)
    }
  }

  async #findMissing(): Promise<StreamClaim[]> {
    const own = [...this.#own.values()]
    if (own.length === 0) return []
    const [bySubscription, byToken] = this.#keys
    const subscriptions = own.map(({ subscriptionId }) => subscriptionId)
    const tokens = own.map(({ tokenDigest }) => tokenDigest)
    const held = await this.#look(bySubscription, subscriptions)
    const holders = await this.#look(byToken, tokens)
    return own.filter((claim, i) => {
      const { instance, generation } = JSON.parse(held[i] ?? '{}') as Partial<StreamClaim> & { instance?: string }
      const isHeld = instance === this.#link.instance && generation === claim.generation
      return !isHeld || holders[i] !== claim.subscriptionId
    })
  }

  async #look(key: string, fields: readonly string[]): Promise<(string | null)[]> {
    return (await this.#link.call('HMGET', key, ...fields)) as (string | null)[]
  }

  async #holderOf(tokenDigest: string): Promise<string | undefined> {
    return ((await this.#link.call('HGET', this.#keys[1], tokenDigest)) as string | null) ?? undefined
  }

  #valuesOf({ subscriptionId, tokenDigest, generation }: StreamClaim): (string | number)[] {
    return [this.#leases, subscriptionId, tokenDigest, generation, this.#link.instance]
  }
}
