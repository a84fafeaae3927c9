import { randomUUID } from 'node:crypto'
import type { PeerAnswers, Peers } from '../../ports/peers.ts'
import { createSerialQueue } from '../serial-queue.ts'
import type { RedisLink } from './link.ts'
import type { StreamEntry } from './reader.ts'

/** Slower instances count as silent. */
const PATIENCE = 1500
const LOOK_EVERY = 15
/** Answers outlive a caller that no longer asks by so many seconds. */
const KEPT_FOR = 5
const MOST = 64

/** Questions go to a log that all instances follow; each answers in a list. */
export class RedisPeers implements Peers {
  readonly instance: string
  readonly #link: RedisLink
  readonly #questions: string
  readonly #inTurn = createSerialQueue()
  #work: ((text: string) => Promise<string>) | undefined
  #unfollow = () => {}

  constructor(link: RedisLink) {
    this.#link = link
    this.#questions = `${link.prefix}questions`
    this.instance = link.instance
  }

  async open(): Promise<void> {
    const last = (await this.#link.call('XREVRANGE', this.#questions, '+', '-', 'COUNT', 1)) as [string, string[]][]
    this.#unfollow = this.#link.reader.follow(this.#questions, last[0]?.[0] ?? '0-0', (entry) => this.#hear(entry))
  }

  answer(work: (text: string) => Promise<string>): void {
    this.#work = work
  }

  async ask(write: (asked: number) => string): Promise<PeerAnswers> {
    const others = (await this.#link.others()).toSorted()
    const asked = others.slice(0, MOST)
    if (asked.length === 0) return { texts: [], missing: [] }
    const answers = `${this.#link.prefix}answers:${randomUUID()}`
    const until = performance.now() + PATIENCE
    const question = ['to', asked.join(' '), 'answers', answers, 'text', write(asked.length)]
    await this.#link.call('XADD', this.#questions, 'MAXLEN', '~', 100, '*', ...question)
    while (performance.now() < until && Number(await this.#link.call('LLEN', answers)) < 2 * asked.length) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    }
    const given = (await this.#link.call('LRANGE', answers, 0, 2 * asked.length - 1)) as string[]
    await this.#link.call('DEL', answers).catch(() => {})
    const byName = new Map(given.flatMap((name, i) => (i % 2 === 0 ? [[name, given[i + 1]!] as const] : [])))
    return { texts: [...byName.values()], missing: others.filter((name) => !byName.has(name)) }
  }

  close(): void {
    this.#unfollow()
  }

  #hear({ fields }: StreamEntry): void {
    const [, to = '', , answers = '', , text = ''] = fields
    const work = this.#work
    if (!work || !to.split(' ').includes(this.instance)) return
    const late = performance.now() + PATIENCE
    const answer = async () => {
      if (performance.now() > late) return
      await this.#link.call('RPUSH', answers, this.instance, await work(text))
      await this.#link.call('EXPIRE', answers, KEPT_FOR)
    }
    this.#inTurn(answer).catch(() => {})
  }
}
