export const REDACTED = '[redacted]'

const credentials = 'secret, seller secret, key, token, access token, service token, cancel key'.split(', ')
/** Headers and parameters that hold one or say who calls: a case needs them, what people are shown does not. */
const callers =
  `authorization, proxy authorization, cookie, set cookie, x control key, vendorus guid, vendorus prof id, prof id,
  partner code`.split(/,\s+/)

/** Secrets that are drawn, by the kind of chance, with the collection and field that keep their digests. */
export const drawnSecrets = {
  accessToken: ['accessTokens', 'tokenDigest'],
  serviceToken: ['serviceTokens', 'tokenDigest'],
  ctiToken: ['ctiTokens', 'tokenDigest'],
  cancelKey: ['inStoreRequests', 'cancelKeyDigest'],
} as const

const toPattern = (names: readonly string[]) => names.map((name) => name.replaceAll(' ', '[_-]?')).join('|')

/** For a regular expression that ignores case: names of credentials however their words are joined. */
export const credentialPattern = toPattern(credentials)
export const secretPattern = toPattern([...credentials, ...callers])

const secretNames = new Set([...credentials, ...callers].map((name) => name.replaceAll(' ', '')))

/** Without regard to letter case and signs. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

const lastWords = new Set(
  `auth, authorization, cookie, cookies, credential, credentials, csrf, jwt, otp, passcode, passphrase, passwd, password,
  passwords, pin, pwd, secret, secrets, session, sid, sig, signature, token, tokens, xsrf`.split(/,\s+/),
)
/** Words that make a secret of the `key` or `id` behind them. */
const keyWords =
  /^(?:access|api|auth|cancel|client|control|csrf|functions|private|secret|session|signing|subscription)$/

/** The same for what other servers say: a name that sounds like a credential's too. */
export function soundsSecret(name: string): boolean {
  if (isSecretName(name)) return true
  const words =
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  const [last = '', before = ''] = words.toReversed()
  if (lastWords.has(last) || last === 'apikey' || last === 'sessionid') return true
  return last === 'id' ? before === 'session' : last === 'key' && keyWords.test(before)
}
