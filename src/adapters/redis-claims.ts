import type { Bus, StreamClaim } from '../ports/streams.ts'
import type { RedisLink } from './redis-link.ts'
import { claimScript, findClaimScript, releaseScript } from './redis-scripts.ts'

type Outcome = Awaited<ReturnType<Bus['claim']>>

/** Milliseconds between two tries to give a place back. */
const RETRY = 1000

/** Who streams what, over all instances; `key` begins the world's keys. */
export class RedisClaims {
  readonly #link: RedisLink
  readonly #keys: readonly [bySubscription: string, byToken: string, head: string]
  readonly #leases: string
  /** Those of this instance. */
  readonly #own = new Map<string, StreamClaim>()
  #isClosed = false

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

  /** With the number of the last entry in the world's log. */
  async claim(claim: StreamClaim): Promise<{ outcome: Outcome; head: number }> {
    const [outcome, head] = (await this.#link.run(claimScript, this.#keys, this.#valuesOf(claim))) as [Outcome, string]
    if (outcome === 'granted') this.#own.set(claim.subscriptionId, claim)
    return { outcome, head: Number(head) }
  }

  /** Rejects when the server is away, and goes on trying: a place that nobody uses must not stay taken. */
  async release(claim: StreamClaim): Promise<void> {
    if (this.#own.get(claim.subscriptionId)?.generation === claim.generation) this.#own.delete(claim.subscriptionId)
    try {
      await this.#free(claim)
    } catch (error) {
      void this.#freeLater(claim)
      throw error
    }
  }

  close(): void {
    this.#isClosed = true
  }

  /** Takes again what nobody else has taken since; gives what is lost. */
  async renew(): Promise<StreamClaim[]> {
    const lost: StreamClaim[] = []
    for (const claim of this.#own.values()) {
      const { outcome } = await this.claim(claim)
      if (outcome === 'granted') continue
      this.#own.delete(claim.subscriptionId)
      lost.push(claim)
    }
    return lost
  }

  async #free(claim: StreamClaim): Promise<void> {
    await this.#link.run(releaseScript, this.#keys, this.#valuesOf(claim))
  }

  async #freeLater(claim: StreamClaim): Promise<void> {
    while (!this.#isClosed) {
      await new Promise((resolve) => setTimeout(resolve, RETRY).unref())
      const isFree = await this.#free(claim).then(
        () => true,
        () => false,
      )
      if (isFree) return
    }
  }

  async #holderOf(tokenDigest: string): Promise<string | undefined> {
    return ((await this.#link.call('HGET', this.#keys[1], tokenDigest)) as string | null) ?? undefined
  }

  #valuesOf({ subscriptionId, tokenDigest, generation }: StreamClaim): (string | number)[] {
    return [this.#leases, subscriptionId, tokenDigest, generation, this.#link.instance]
  }
}
