import { createPrivateKey, randomBytes, type webcrypto } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Extension, PublicKeyType, X509Certificate, X509CertificateCreateParamsName } from '@peculiar/x509'
import { makeFolder } from '../node/folders.ts'
import { generateRsaKeys, loadX509, RSA_SHA256, toKeyPair, toKeyPem } from './x509.ts'

export interface Authority {
  keys: webcrypto.CryptoKeyPair
  certificate: X509Certificate
}

/** The key and the certificate are in the same file, so that they always match. */
const SECRET_FILE = 'authority.pem'
/** This file contains only the certificate and not the key, so partners may read the file. */
export const OPEN_FILE = 'authority-certificate.pem'

/** The authority's certificate must be valid at every time that a world's clock may have. */
const FROM = new Date('2000-01-01T00:00:00Z')
const UNTIL = new Date('2099-12-31T23:59:59Z')

/** Processes that start in parallel use the same authority. `limits` restrict the certificates that it may issue. */
export async function storeAuthority(directory: string, limits?: readonly Extension[]): Promise<Authority> {
  const secretFile = join(directory, SECRET_FILE)
  const kept = await readOptional(secretFile)
  const text = kept ?? (await writeFirst(directory, secretFile, await toText(await makeAuthority(limits))))
  const authority = await parseAuthority(text, secretFile)
  await requirePrivate(secretFile)
  if ((await readOptional(join(directory, OPEN_FILE))) === undefined) {
    await writeFile(join(directory, OPEN_FILE), toPem(authority.certificate))
  }
  return authority
}

/** Windows has no file modes, so the check is skipped there. */
async function requirePrivate(file: string): Promise<void> {
  const { mode } = await stat(file)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new Error(`${file} contains a private key that other users can read. Run chmod 600 '${file}'`)
}

export function hasAuthority(directory: string): boolean {
  return existsSync(join(directory, SECRET_FILE))
}

export async function makeAuthority(limits: readonly Extension[] = []): Promise<Authority> {
  const x509 = await loadX509()
  const keys = await generateRsaKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: [{ O: ['vendor-cloud'] }, { CN: ['vendor-cloud local authority'] }],
    notBefore: FROM,
    notAfter: UNTIL,
    keys,
    signingAlgorithm: RSA_SHA256,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...limits,
    ],
  })
  return { keys, certificate }
}

interface CertificateDraft {
  subject: X509CertificateCreateParamsName
  host: string
  publicKey: PublicKeyType
  /** In milliseconds since 1970, like `until`. */
  from: number
  until: number
  extensions: readonly Extension[]
}

export async function certify(authority: Authority, draft: CertificateDraft): Promise<string> {
  const x509 = await loadX509()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: draft.subject,
    issuer: authority.certificate.subjectName,
    notBefore: new Date(draft.from),
    notAfter: new Date(draft.until),
    publicKey: draft.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: RSA_SHA256,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...draft.extensions,
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: draft.host }]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.keys.publicKey),
    ],
  })
  return toPem(certificate)
}

export function toPem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

/** A serial number must be positive. Apart from that, all bytes are random, so that it is unique. */
function newSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes.toString('hex')
}

const toText = ({ keys, certificate }: Authority) => `${toKeyPem(keys.privateKey)}${toPem(certificate)}`

async function parseAuthority(text: string, file: string): Promise<Authority> {
  const { X509Certificate } = await loadX509()
  try {
    const certificate = text.slice(text.indexOf('-----BEGIN CERTIFICATE-----'))
    return { keys: await toKeyPair(createPrivateKey(text)), certificate: new X509Certificate(certificate) }
  } catch (cause) {
    throw new Error(`${file} does not contain an authority. Delete it to create a new one`, { cause })
  }
}

/** `link` fails if the file exists, so the first writer wins and no reader sees a partial file. */
async function writeFirst(directory: string, file: string, text: string): Promise<string> {
  await makeFolder(directory)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, file)
    return text
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure
    return readFile(file, 'utf8')
  } finally {
    await rm(draft, { force: true })
  }
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw failure
  }
}
