import { createSecureContext, type SecureContext } from 'node:tls'

/** The certificate and key are PEM; `until` is in milliseconds since 1970. */
export interface Leaf {
  key: string
  cert: string
  until: number
}

/** A certificate is renewed before its last day, so no client meets an expired one. */
const LEFT = 24 * 60 * 60 * 1000

export function createSecureContexts(certify: (host: string) => Promise<Leaf>, now: () => number) {
  const contexts = new Map<string, Promise<{ context: SecureContext; until: number }>>()
  return async (host: string): Promise<SecureContext> => {
    const known = await contexts.get(host)
    if (known && known.until - now() > LEFT) return known.context
    const made = certify(host).then(({ key, cert, until }) => ({ context: createSecureContext({ key, cert }), until }))
    contexts.set(host, made)
    made.catch(() => contexts.delete(host))
    return (await made).context
  }
}
