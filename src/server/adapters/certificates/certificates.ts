import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Certificates } from '#server/ports/certificates.ts'
import { KEY_BITS } from '#contract/records/wallet/signing-request.ts'
import { keepAuthority, makeAuthority } from './authority-files.ts'
import { type Authority, signRequest } from './authority.ts'
import { makeRequest, readRequest } from './signing-requests.ts'

/** The authority lives in `directory`, or else in memory only. */
export function createCertificates(directory?: string): Certificates {
  let authority: Promise<Authority> | undefined

  function requireAuthority(): Promise<Authority> {
    authority ??= (directory === undefined ? makeAuthority() : keepAuthority(directory)).catch((failure) => {
      // A directory that cannot be used now may be usable later, so the failure is not kept.
      authority = undefined
      throw failure
    })
    return authority
  }

  return {
    newKey,
    newRequest: makeRequest,
    readRequest,
    sign: async (pem, now) => signRequest(await requireAuthority(), pem, now),
  }
}

const generate = promisify(generateKeyPair)

async function newKey(passphrase?: string): Promise<string> {
  const protection = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  const { privateKey } = await generate('rsa', {
    modulusLength: KEY_BITS,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...protection },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return privateKey
}
