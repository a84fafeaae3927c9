import type { CaseHeader, CaseStep } from '../schemas/control/case.ts'
import { digestMark, mapTexts, tokenMark } from './placeholders.ts'
import { toShape } from './shapes.ts'

interface Known {
  sha256(text: string): string
  /** Whether a secret, by its SHA-256, is one that the fixtures publish. */
  isPublished(digest: string): boolean
  /** Secrets that were drawn while it was recorded. */
  issued: Iterable<string>
}

/** Shorter ones could stand anywhere by chance: they are replaced only where a name says what they are. */
const SHORTEST_ANYWHERE = 8

/** Where texts name a secret; the value is the last group. */
const named: readonly RegExp[] = [
  /^bearer +()(\S+) *$/gi,
  /[?&;]()(?:key|token|access_?token|servicetoken|(?:seller)?secret)=([^&#\s"'<>\\]+)/gi,
  /"()(?:key|token|accessToken|serviceToken|sellerSecret|secret|cancelKey)"\s*:\s*"([^"\\]+)"/gi,
  /<(?:[\w.-]+:)?(secret|serviceToken)(?:\s[^<>]*)?>\s*([^<>\s]+)\s*</gi,
  /\/_control\/(?:tokens|records\/sellers)\/()([^/?#\s"]+)/gi,
]

/**
 * Takes the secrets out of a case: each stands as `{{token:n}}` wherever it stood, numbered as they first come, and its
 * SHA-256 as `{{digest:n}}`.
 */
export function hideSecrets(
  header: Omit<CaseHeader, 'tokens'>,
  steps: readonly CaseStep[],
  known: Known,
): { header: CaseHeader; steps: CaseStep[] } {
  const numbers = new Map<string, number>()
  const add = (secret: string) => {
    if (!numbers.has(secret) && !known.isPublished(known.sha256(secret))) numbers.set(secret, numbers.size + 1)
  }
  for (const secret of known.issued) add(secret)
  for (const secret of secretsOfSnapshot(header.snapshot)) add(secret)
  for (const step of steps) mapTexts(step, (text) => findNamed(text).forEach(add))

  const secrets = [...numbers.keys()]
  const digests = new Map(secrets.map((secret) => [known.sha256(secret), digestMark(numbers.get(secret)!)]))
  const anywhere = secrets.filter((secret) => secret.length >= SHORTEST_ANYWHERE).sort((a, b) => b.length - a.length)
  const pattern = anywhere.length > 0 ? new RegExp(anywhere.map(escapePattern).join('|'), 'g') : undefined
  const hide = (text: string, name: string): string => {
    const number = name === 'secret' || name === 'sellerSecret' ? numbers.get(text) : undefined
    if (number !== undefined) return tokenMark(number)
    const plain = pattern ? text.replace(pattern, (secret) => tokenMark(numbers.get(secret)!)) : text
    const marked = plain.replace(/\b[0-9a-f]{64}\b/g, (digest) => digests.get(digest) ?? digest)
    return hideNamed(marked, numbers)
  }
  const tokens = secrets.map(toShape)
  return {
    header: { ...header, tokens, snapshot: mapTexts(hideSetting(header.snapshot, numbers), hide) as never },
    steps: steps.map((step) => mapTexts(step, hide) as CaseStep),
  }
}

type Records = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>

/** Its sellers, and what the keys of its streams are made of. */
function secretsOfSnapshot(snapshot: CaseHeader['snapshot']): string[] {
  const { sellers = [], settings = [] } = snapshot['records'] as Records
  return [
    ...sellers.map(({ secret }) => String(secret)),
    ...settings.filter(({ name }) => name === 'secret').map(({ value }) => String(value)),
  ]
}

/** The setting is short in some worlds, and stands nowhere else. */
function hideSetting(snapshot: CaseHeader['snapshot'], numbers: ReadonlyMap<string, number>): CaseHeader['snapshot'] {
  const records = snapshot['records'] as Records
  const settings = (records['settings'] ?? []).map((setting) => {
    const number = setting['name'] === 'secret' ? numbers.get(String(setting['value'])) : undefined
    return number === undefined ? setting : { ...setting, value: tokenMark(number) }
  })
  return { ...snapshot, records: { ...records, settings } }
}

function findNamed(text: string): string[] {
  return named.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match.at(-1)!))
}

function hideNamed(text: string, numbers: ReadonlyMap<string, number>): string {
  return named.reduce(
    (hidden, pattern) =>
      hidden.replace(pattern, (whole: string, ...groups: unknown[]) => {
        const secret = String(groups[1])
        const number = numbers.get(secret)
        const at = whole.lastIndexOf(secret)
        return number === undefined ? whole : whole.slice(0, at) + tokenMark(number) + whole.slice(at + secret.length)
      }),
    text,
  )
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
