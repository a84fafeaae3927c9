export const REDACTED = '[redacted]'

const credentials = 'secret, seller secret, key, token, access token, service token, cancel key'.split(', ')
/** These hold secrets or say who calls, so a case needs them and people are never shown them. */
const callers =
  `authorization, proxy authorization, cookie, set cookie, x control key, vendorus guid, vendorus prof id, prof id,
  partner code`.split(/,\s+/)

/** Names for each drawn secret the collection and the field that hold its digest. */
export const drawnSecrets = {
  accessToken: ['accessTokens', 'tokenDigest'],
  serviceToken: ['serviceTokens', 'tokenDigest'],
  ctiToken: ['ctiTokens', 'tokenDigest'],
  cancelKey: ['inStoreRequests', 'cancelKeyDigest'],
} as const

const secretNames = new Set([...credentials, ...callers].map((name) => name.replaceAll(' ', '')))

const lastWords = new Set(
  `assertion, auth, authentication, authorization, cookie, cookie2, cookies, credential, credentials, csrf, cvc, cvv,
  dpop, jwt, otp, passcode, passphrase, passwd, password, passwords, pin, pins, pwd, secret, secrets, session, sid, sig,
  signature, token, tokens, xsrf`.split(/,\s+/),
)
/** A `key` or `id` behind one of these words is a secret. */
const keyWords =
  /^(?:access|api|auth|cancel|client|control|csrf|functions|private|secret|session|signing|subscription)$/

/** A call of document 3 is named after the token that it asks for. */
const CALL = 'createServiceToken'

/** Judges the names of fields, parameters, headers and elements in all places: letter case and signs do not count. */
export const soundsSecret = remembered((name) => {
  if (secretNames.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''))) return true
  if (name === CALL) return false
  // A form spells a field of a field as `auth[value]`.
  if (name.includes('[') && name.split(/[[\]]/, 20).slice(0, -2).some(soundsSecret)) return true
  const words =
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  const [last = '', before = ''] = words.toReversed()
  if (lastWords.has(last) || lastWords.has(name.toLowerCase()) || last === 'apikey' || /sess(?:ion)?id$/.test(last))
    return true
  if (last === 'id') return before === 'session'
  return last === 'cert' ? before === 'client' : last === 'key' && keyWords.test(before)
})

/** A case tells in clear who calls. */
export const saysWhoCalls = (name: string): boolean => CALLER.test(name.replace(/[^a-z]/gi, ''))
const CALLER = /^(?:vendorus)?(?:guid|profid)$|^partnercode$/i

const MOST_REMEMBERED = 4096
const LONGEST_REMEMBERED = 64

/** The same names come with every message, and to judge one costs more than to look it up. */
function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const judged = judge(name)
    if (name.length > LONGEST_REMEMBERED) return judged
    if (known.size === MOST_REMEMBERED) known.clear()
    // A piece of a long text would hold on to the whole.
    known.set([...name].join(''), judged)
    return judged
  }
}
