/** People are told what is wrong, not which system call found it. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EADDRINUSE: 'something else listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAI_AGAIN: 'nobody knows that name just now',
  ECONNREFUSED: 'nothing listens there',
  EEXIST: 'it is there already',
  EHOSTUNREACH: 'no way leads there',
  EISDIR: 'it is a folder',
  ENETUNREACH: 'no way leads there',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of its path is no folder',
  ENOTFOUND: 'nobody knows that name',
  EPERM: 'this user may not',
  EPROTO: 'it speaks no TLS, or another version',
  EROFS: 'nothing can be written there',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer have no end',
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}
/** Names of OpenSSL for a chain that ends at no authority which is trusted. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA/
const TRUST =
  'its certificate comes from an authority that is not trusted here (NODE_EXTRA_CA_CERTS names further ones)'

interface Failure {
  name?: string
  code?: unknown
  message?: string
  cause?: unknown
  errors?: readonly unknown[]
}

/** Nothing where the failure is no matter of a certificate. */
export function describeCertificate(error: unknown): string | undefined {
  const code = codeOf(error)
  return certificates[code] ?? (UNTRUSTED.test(code) ? TRUST : undefined)
}

/** The words of `fetch` for a port on the list of the Fetch standard. */
const REFUSED_PORT = 'bad port'

/** Why a file, a port or a server cannot be used, in one line. */
export function describeFailure(error: unknown): string {
  const known = describeCertificate(error) ?? words[codeOf(error)]
  if (known !== undefined) return known
  const { name, message, cause } = Object(error) as Failure
  if (name === 'HTTPParserError') return 'what it answers is no HTTP'
  const behind = Object(cause) as Failure
  // `fetch` says only that it failed; others that name a cause say more than it does.
  const own = name === 'TypeError' && cause ? '' : message
  const said = own || behind.message || behind.code || message || codeOf(error)
  if (said === REFUSED_PORT) return 'fetch refuses this port, as browsers do, whatever listens there'
  return String(said).replace(/\s+/g, ' ').trim()
}

/** Why a program cannot be run. */
export function describeProgramFailure(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'there is no such program' : describeFailure(error)
}

/** A name may lead to several addresses, so the first failure behind it counts where it has no code of its own. */
function codeOf(error: unknown): string {
  const { code, cause, errors = [] } = Object(error) as Failure
  if (typeof code === 'string') return code
  return cause === undefined ? (errors.length > 0 ? codeOf(errors[0]) : '') : codeOf(cause)
}
