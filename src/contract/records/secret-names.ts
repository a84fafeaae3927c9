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

const toPattern = (names: readonly string[]) => names.map((name) => name.replaceAll(' ', '[_-]?')).join('|')

/** Words of a name may be joined by `_`, `-` or nothing; the expression must ignore letter case. */
export const credentialPattern = toPattern(credentials)
export const secretPattern = toPattern([...credentials, ...callers])

const secretNames = new Set([...credentials, ...callers].map((name) => name.replaceAll(' ', '')))

/** Letter case and signs do not count. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

const lastWords = new Set(
  `auth, authentication, authorization, cookie, cookies, credential, credentials, csrf, cvc, cvv, jwt, otp, passcode,
  passphrase, passwd, password, passwords, pin, pwd, secret, secrets, session, sid, sig, signature, token, tokens,
  xsrf`.split(/,\s+/),
)
/** A `key` or `id` behind one of these words is a secret. */
const keyWords =
  /^(?:access|api|auth|cancel|client|control|csrf|functions|private|secret|session|signing|subscription)$/

/** Another server's names are secret as soon as they sound so. */
export function soundsSecret(name: string): boolean {
  if (isSecretName(name)) return true
  const words =
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  const [last = '', before = ''] = words.toReversed()
  if (lastWords.has(last) || last === 'apikey' || /sess(?:ion)?id$/.test(last)) return true
  if (last === 'id') return before === 'session'
  return last === 'cert' ? before === 'client' : last === 'key' && keyWords.test(before)
}
