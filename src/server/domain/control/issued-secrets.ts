import { decodeAll } from '../../../contract/cases/hidden-text.ts'
import type { Ports } from '../../ports.ts'
import { hasEnded } from '../ended-secrets.ts'
import { findStreamKeys } from '../events/stream-keys.ts'

export type KnowsIssued = Pick<Ports, 'store' | 'digests' | 'published' | 'turns' | 'journal'>

/** Tokens and keys are drawn as letters and digits. */
const DRAWN = /[A-Za-z0-9]{20,200}/g
/** Sellers are known by digits; fewer could stand anywhere by chance. */
const DIGITS = /(?<![A-Za-z0-9])\d{8,12}(?![A-Za-z0-9])/g
const STREAM_KEY = /^[0-9a-f]{32}$/
const AT_ONCE = 50

/** Finds what the world has issued, ended or not, by its digests, in names and texts, however they are spelt. */
export async function findIssued(ports: KnowsIssued, values: Iterable<unknown>): Promise<ReadonlySet<string>> {
  const words = new Set<string>()
  for (const value of values) {
    visitTexts(value, (text) => collectWords(text, words))
    await ports.turns.give()
  }
  const found = new Set<string>()
  const all = [...words]
  for (let from = 0; from < all.length; from += AT_ONCE) {
    for (const secret of await findKept(ports, all.slice(from, from + AT_ONCE))) found.add(secret)
    await ports.turns.give()
  }
  const keys = new Set(all.filter((word) => STREAM_KEY.test(word)))
  for (const key of await findStreamKeys(ports, keys)) found.add(key)
  return found
}

async function findKept(ports: KnowsIssued, words: readonly string[]): Promise<string[]> {
  const { store, digests, published } = ports
  const byDigest = new Map(words.map((word) => [digests.sha256(word), word]))
  const where = { tokenDigest: [...byDigest.keys()] }
  const [tokens, requests, sellers] = await Promise.all([
    Promise.all([
      store.accessTokens.find({ where }),
      store.serviceTokens.find({ where }),
      store.ctiTokens.find({ where }),
    ]),
    store.inStoreRequests.find({ where: { cancelKeyDigest: [...byDigest.keys()] } }),
    store.sellers.find({ where: { secret: words.filter((word) => /^\d{8,12}$/.test(word)) } }),
  ])
  const kept = [
    ...tokens.flat().map(({ tokenDigest }) => tokenDigest),
    ...requests.flatMap(({ cancelKeyDigest }) => cancelKeyDigest ?? []),
    ...sellers.map(({ secret }) => digests.sha256(secret)),
    ...[...byDigest.keys()].filter((digest) => hasEnded(ports, digest)),
  ]
  return kept.filter((digest) => !published.has(digest)).map((digest) => byDigest.get(digest)!)
}

function collectWords(text: string, words: Set<string>): void {
  const plain = decodeAll(text)
  for (const each of plain === text ? [text] : [text, plain]) {
    for (const { 0: word, index } of each.matchAll(DRAWN)) {
      words.add(word)
      // The first letter may belong to an escape, as in `\n`.
      if (each[index - 1] === '\\') words.add(word.slice(1))
    }
    for (const [word] of each.matchAll(DIGITS)) words.add(word)
  }
}

function visitTexts(value: unknown, see: (text: string) => void): void {
  if (typeof value === 'string') see(value)
  else if (Array.isArray(value)) for (const each of value) visitTexts(each, see)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      see(name)
      visitTexts(each, see)
    }
  }
}
