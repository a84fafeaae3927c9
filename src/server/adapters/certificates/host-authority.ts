import { webcrypto } from 'node:crypto'
import { join } from 'node:path'
import { AsnConvert } from '@peculiar/asn1-schema'
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509'
import type { X509Certificate } from '@peculiar/x509'
import { type Authority, certify, storeAuthority, OPEN_FILE, toPem } from './authority.ts'
import { loadX509, toKeyPem } from './x509.ts'

export interface HostCertificate {
  key: string
  cert: string
  /** End of the validity in milliseconds since 1970. */
  until: number
}

/** Issues certificates only for the hosts for which the authority was created, and for their subdomains. */
export interface HostAuthority {
  file: string
  certificate: string
  hosts: readonly string[]
  certify(host: string, now: number): Promise<HostCertificate>
}

/** OID of the name constraints extension (RFC 5280, section 4.2.1.10). */
const NAME_CONSTRAINTS = '2.5.29.30'
const HOUR = 60 * 60 * 1000
/** In milliseconds. The validity starts one hour in the past, because the clock of a client may be slow. */
const LIFE = 7 * 24 * HOUR

export async function keepHostAuthority(directory: string, hosts: readonly string[]): Promise<HostAuthority> {
  const authority = await storeAuthority(directory, [await permit(hosts)])
  return {
    file: join(directory, OPEN_FILE),
    certificate: toPem(authority.certificate),
    hosts: readPermitted(authority.certificate),
    certify: (host, now) => certifyHost(authority, host, now),
  }
}

async function permit(hosts: readonly string[]) {
  const { Extension } = await loadX509()
  const subtrees = hosts.map((dNSName) => new GeneralSubtree({ base: new GeneralName({ dNSName }) }))
  const constraints = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) })
  return new Extension(NAME_CONSTRAINTS, true, AsnConvert.serialize(constraints))
}

function readPermitted(certificate: X509Certificate): string[] {
  const extension = certificate.getExtension(NAME_CONSTRAINTS)
  if (!extension) return []
  const { permittedSubtrees = [] } = AsnConvert.parse(extension.value, NameConstraints)
  return [...permittedSubtrees].flatMap(({ base }) => base.dNSName ?? [])
}

/** Generates a new key for each certificate, because keys of this type are fast to generate. */
async function certifyHost(authority: Authority, host: string, now: number): Promise<HostCertificate> {
  const x509 = await loadX509()
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const cert = await certify(authority, {
    subject: [{ CN: [host] }],
    host,
    publicKey: keys.publicKey,
    from: now - HOUR,
    until: now + LIFE,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  })
  return { key: toKeyPem(keys.privateKey), cert, until: now + LIFE }
}
