import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startVendorCloud } from '../src/index.ts'
import { makeTlsCertificate } from './helpers/tls-certificate.ts'

test('a start with an invalid certificate is rejected with the reason', async () => {
  const file = join(import.meta.dirname, '../package.json')
  const start = startVendorCloud({ settings: { TLS_CERT: file, TLS_KEY: file } })
  await expect(start).rejects.toMatchObject({
    name: 'ConfigError',
    message: `TLS_CERT=${file} is not a PEM file`,
  })
})

test('a start with a certificate as the key, or a key as the certificate, is rejected', async () => {
  const { TLS_CERT, TLS_KEY } = makeTlsCertificate()
  for (const [cert, key, message] of [
    [TLS_CERT, TLS_CERT, `TLS_KEY=${TLS_CERT} contains no private key`],
    [TLS_KEY, TLS_CERT, `TLS_CERT=${TLS_KEY} contains no certificate`],
  ] as const) {
    const start = startVendorCloud({ settings: { TLS_CERT: cert, TLS_KEY: key } })
    await expect(start).rejects.toMatchObject({ name: 'ConfigError', message })
  }
})

test('a start with a key that does not match the certificate is rejected', async () => {
  const settings = makeTlsCertificate()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(settings.TLS_KEY, privateKey.export({ type: 'sec1', format: 'pem' }))
  await expect(startVendorCloud({ settings })).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'TLS_KEY does not belong to TLS_CERT',
  })
})

test('a certificate chain and a key file that starts with EC parameters are accepted', async () => {
  const settings = makeTlsCertificate()
  const other = makeTlsCertificate()
  writeFileSync(settings.TLS_CERT, [settings, other].map(({ TLS_CERT }) => readFileSync(TLS_CERT, 'utf8')).join('\n'))
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  writeFileSync(settings.TLS_KEY, parameters + readFileSync(settings.TLS_KEY, 'utf8'))
  const cloud = await startVendorCloud({ settings })
  onTestFinished(() => cloud.stop())
  expect(cloud.url).toMatch(/^https:/)
})

test('the error message names a file that cannot be read, but no value that could be the key', async () => {
  const { TLS_CERT } = makeTlsCertificate()
  for (const [cert, key, message] of [
    ['canary', 'canary', 'TLS_CERT: no such file or directory (ENOENT)'],
    [TLS_CERT, 'canary', 'TLS_KEY: no such file or directory (ENOENT)'],
    ['/nope', 'canary', 'TLS_CERT=/nope: no such file or directory (ENOENT)'],
    ['nope.pem', 'nope.pem', 'TLS_CERT=nope.pem: no such file or directory (ENOENT)'],
    [TLS_CERT, 'nope.pem', 'TLS_KEY=nope.pem: no such file or directory (ENOENT)'],
  ] as const) {
    const start = startVendorCloud({ settings: { TLS_CERT: cert, TLS_KEY: key } })
    await expect(start).rejects.toMatchObject({ name: 'ConfigError', message })
  }
})

test('certificate and key files have a size limit', async () => {
  const start = startVendorCloud({ settings: { TLS_CERT: '/dev/zero', TLS_KEY: '/dev/zero' } })
  await expect(start).rejects.toThrow('TLS_CERT: it is larger than 1 MB')
})
