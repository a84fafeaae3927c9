/** Descriptions of system error codes. Messages contain the code in parentheses after the description. */
const descriptions: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the address is already in use',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EAI_AGAIN: 'DNS lookup failed temporarily',
  ECONNREFUSED: 'connection refused',
  EEXIST: 'file already exists',
  EHOSTUNREACH: 'no route to host',
  EISDIR: 'it is a directory',
  ENETUNREACH: 'the network is unreachable',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'not a directory',
  ENOTFOUND: 'DNS lookup failed',
  EPERM: 'operation not permitted',
  EPROTO: 'TLS handshake failed: the server does not support TLS or this version of it',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}
/** OpenSSL error codes for a certificate chain without a trusted authority. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA/
const TRUST = 'Add the authority with NODE_EXTRA_CA_CERTS'

interface Failure {
  name?: string
  code?: unknown
  message?: string
  cause?: unknown
  errors?: readonly unknown[]
}

/** Returns undefined if the error is not caused by a certificate. */
export function describeCertificate(error: unknown): string | undefined {
  const code = codeOf(error)
  if (UNTRUSTED.test(code)) return `its certificate is not signed by a trusted authority (${code}). ${TRUST}`
  return certificates[code] && `${certificates[code]} (${code})`
}

export function describeFailure(error: unknown): string {
  const code = codeOf(error)
  const known = describeCertificate(error) ?? (descriptions[code] && `${descriptions[code]} (${code})`)
  if (known !== undefined) return known
  const { name, message, cause } = Object(error) as Failure
  if (name === 'HTTPParserError') return 'the response is not HTTP'
  const inner = Object(cause) as Failure
  // `fetch` reports only that it failed, so the message of its cause is used.
  const own = name === 'TypeError' && cause ? '' : message
  const said = own || inner.message || inner.code || message || code
  // `fetch` reports this message for a port that the Fetch standard blocks.
  if (said === 'bad port') return 'fetch blocks this port, as browsers do. Use another port'
  return String(said).replace(/\s+/g, ' ').trim()
}

export function describeProgramFailure(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'no such program (ENOENT)' : describeFailure(error)
}

/** If a host has several addresses, the code may be only in the inner error for each address. */
function codeOf(error: unknown): string {
  const { code, cause, errors = [] } = Object(error) as Failure
  if (typeof code === 'string') return code
  return cause === undefined ? (errors.length > 0 ? codeOf(errors[0]) : '') : codeOf(cause)
}
