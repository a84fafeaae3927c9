export const REDACTED = '[redacted]'

const credentials = 'secret, seller secret, key, token, access token, service token, cancel key'.split(', ')
const callers =
  `authorization, proxy authorization, cookie, set cookie, x control key, vendorus guid, vendorus prof id, prof id,
  partner code`.split(/,\s+/)

/** For each kind of generated secret, the collection and the field that contain the digest. */
export const generatedSecrets = {
  accessToken: ['accessTokens', 'tokenDigest'],
  serviceToken: ['serviceTokens', 'tokenDigest'],
  ctiToken: ['ctiTokens', 'tokenDigest'],
  cancelKey: ['inStoreRequests', 'cancelKeyDigest'],
} as const

const secretNames = new Set([...credentials, ...callers].map((name) => name.replaceAll(' ', '')))

const secretEndings = new Set(
  `assertion, auth, authentication, authorization, cookie, cookie2, cookies, credential, credentials, csrf, cvc, cvv,
  dpop, jwt, otp, passcode, passphrase, passwd, password, passwords, pin, pins, pwd, secret, secrets, session, sid, sig,
  signature, token, tokens, xsrf`.split(/,\s+/),
)
/** A field named `key` contains a secret if one of these words precedes `key` in its name. */
const secretKeywords =
  /^(?:access|api|auth|cancel|client|control|csrf|functions|private|secret|session|signing|subscription)$/

const CALL = 'createServiceToken'

/** Ignores case and punctuation. */
export const looksSecret = remembered((name) => {
  if (secretNames.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''))) return true
  if (name === CALL) return false
  // Forms write nested fields as `auth[value]`.
  if (name.includes('[') && name.split(/[[\]]/, 20).slice(0, -2).some(looksSecret)) return true
  const words =
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  const [last = '', before = ''] = words.toReversed()
  if (
    secretEndings.has(last) ||
    secretEndings.has(name.toLowerCase()) ||
    last === 'apikey' ||
    /sess(?:ion)?id$/.test(last)
  )
    return true
  if (last === 'id') return before === 'session'
  return last === 'cert' ? before === 'client' : last === 'key' && secretKeywords.test(before)
})

/** Returns whether a field or header with this name contains the identity of a caller. Cases do not hide identities. */
export const isCallerName = (name: string): boolean => CALLER.test(name.replace(/[^a-z]/gi, ''))
const CALLER = /^(?:vendorus)?(?:guid|profid)$|^partnercode$/i

const MOST_REMEMBERED = 4096
const LONGEST_REMEMBERED = 64

/** Caches the results, because the same names occur in all messages. */
function remembered(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const evaluated = decide(name)
    if (name.length > LONGEST_REMEMBERED) return evaluated
    if (known.size === MOST_REMEMBERED) known.clear()
    // Copies the name, because a substring would keep the entire text in memory.
    known.set([...name].join(''), evaluated)
    return evaluated
  }
}
