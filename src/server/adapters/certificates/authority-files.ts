import { createPrivateKey, generateKeyPair, randomBytes, type webcrypto } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { X509Certificate } from '@peculiar/x509'
import { KEY_BITS } from '#contract/records/wallet/signing-request.ts'
import { makeFolder } from '../node/folders.ts'
import { type Authority, certifyAuthority, toPem } from './authority.ts'
import { loadX509, toKeyPair } from './x509.ts'

/** Key and certificate share a file, so that there are never halves of two authorities. */
const SECRET_FILE = 'authority.pem'
/** Partners may read this file; it holds no key. */
export const OPEN_FILE = 'authority-certificate.pem'

const generate = promisify(generateKeyPair)

type Certify = (keys: webcrypto.CryptoKeyPair) => Promise<X509Certificate>

/**
 * The authority of a directory, certified by itself on first use. Two processes that come at once end with one.
 */
export async function keepAuthority(directory: string, certify: Certify = certifyAuthority): Promise<Authority> {
  const secretFile = join(directory, SECRET_FILE)
  const kept = await readOptional(secretFile)
  const text = kept ?? (await writeFirst(directory, secretFile, (await makeAuthority(certify)).text))
  const authority = await parseAuthority(text, secretFile)
  if ((await readOptional(join(directory, OPEN_FILE))) === undefined) {
    await writeFile(join(directory, OPEN_FILE), toPem(authority.certificate))
  }
  return authority
}

export function hasAuthority(directory: string): boolean {
  return existsSync(join(directory, SECRET_FILE))
}

export async function makeAuthority(certify: Certify = certifyAuthority): Promise<Authority & { text: string }> {
  const { privateKey } = await generate('rsa', { modulusLength: KEY_BITS })
  const keys = await toKeyPair(privateKey)
  const certificate = await certify(keys)
  return { keys, certificate, text: `${privateKey.export({ type: 'pkcs8', format: 'pem' })}${toPem(certificate)}` }
}

async function parseAuthority(text: string, file: string): Promise<Authority> {
  const { X509Certificate } = await loadX509()
  try {
    const certificate = text.slice(text.indexOf('-----BEGIN CERTIFICATE-----'))
    return { keys: await toKeyPair(createPrivateKey(text)), certificate: new X509Certificate(certificate) }
  } catch (cause) {
    throw new Error(`${file} holds no authority; remove it to have a new one made`, { cause })
  }
}

/** Linking fails when the file is there: the first one wins, and nobody ever reads half of it. */
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
