import { mapHeader } from '../../contract/cases/named-secrets.ts'
import { mapTexts } from '../../contract/cases/placeholders.ts'
import { isRepeatable, SecretSearch } from '../../contract/cases/secret-search.ts'
import { findRepeatable } from '../../contract/cases/told-secrets.ts'
import { decodeBase64 } from '../../contract/cases/traffic-secrets.ts'
import type { JournalEntry } from '../../contract/records/control/journal.ts'
import { REDACTED, saysWhoCalls, soundsSecret } from '../../contract/records/secret-names.ts'
import type { IsPublished } from './redaction.ts'

/** As they were sent. */
interface Given {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  replyHeaders: Readonly<Record<string, string>>
  reply: string
}

/** A secret that one place of an exchange names is taken out of what is shown of all others too. */
export function hideRepeated(shown: JournalEntry, given: Given, isPublished: IsPublished): JournalEntry {
  const { path, query, request, response } = shown
  const secrets = new Set<string>()
  // Where nothing was taken out nothing is told.
  if (isMarked([path, query])) findRepeatable(given.url, secrets)
  if (isMarked(request?.body)) findRepeatable(given.body, secrets)
  if (isMarked(response?.body)) findRepeatable(given.reply, secrets)
  learnHeaders(given.headers, request?.headers, secrets)
  learnHeaders(given.replyHeaders, response?.headers, secrets)
  for (const secret of secrets) if (isPublished(secret)) secrets.delete(secret)
  return secrets.size === 0 ? shown : (mapTexts(shown, without(secrets)) as JournalEntry)
}

function isMarked(shown: unknown): boolean {
  if (typeof shown === 'string') return shown.includes(REDACTED)
  return typeof shown === 'object' && shown !== null && Object.values(shown).some(isMarked)
}

function learnHeaders(given: Given['headers'], shown: Given['headers'] = {}, secrets: Set<string>): void {
  for (const [name, text] of Object.entries(shown)) {
    if (!text.includes(REDACTED)) continue
    const value = given[name]!
    if (text !== REDACTED) findRepeatable(value, secrets)
    mapHeader(name, value, (credential, own) => {
      const [, secret = credential] = /^[^:]*:(.+)$/.exec(decodeBase64(credential)) ?? []
      // A cookie of another name may hold what stands anywhere.
      if (isRepeatable(secret) && soundsSecret(own) && !saysWhoCalls(own)) secrets.add(secret)
      return credential
    })
  }
}

/** To begin a search of many costs more than to look for each of a few. */
const FEW = 8

function without(secrets: ReadonlySet<string>): (text: string) => string {
  if (secrets.size <= FEW) return (text) => [...secrets].reduce((left, each) => left.replaceAll(each, REDACTED), text)
  const search = new SecretSearch(secrets)
  return (text) => search.replace(text, () => REDACTED)
}
