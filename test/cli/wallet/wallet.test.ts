import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../src/cli/run.ts'
import { makeSigningRequest } from '../../helpers/documents/signing-request.ts'

const subject = Object.entries({
  country: 'us',
  state: 'New Jersey',
  locality: 'Ridgefield Park',
  organization: 'Partner',
  unit: 'Wallet',
  'common-name': 'wallet.partner.example.com',
  email: 'ops@partner.example.com',
}).flatMap(([name, value]) => [`--${name}`, value])

async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(['wallet', ...args], { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

/** Creates a folder with these files. The returned function converts the name of a file to its path. */
function newFolder(files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return (name: string) => join(folder, name)
}

test('the wallet commands key, request and sign produce a certificate signed by the authority', async () => {
  const at = newFolder({ pass: 'open sesame\n' })
  const secret = ['--passphrase-file', at('pass')]
  expect(await run('key', ...secret, '--out', at('key.pem'))).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(statSync(at('key.pem')).mode & 0o777).toBe(0o600)
  expect(readFileSync(at('key.pem'), 'utf8')).toContain('ENCRYPTED')
  expect((await run('request', '--key', at('key.pem'), ...secret, ...subject, '--out', at('r.csr'))).code).toBe(0)
  expect(await run('check-request', at('r.csr'))).toMatchObject({
    code: 0,
    stdout: `${at('r.csr')}: no errors, no warnings\n`,
  })
  const signed = await run('sign', at('r.csr'), '--authority', at('authority'), '--out', at('c.pem'))
  expect(signed).toMatchObject({ code: 0, stdout: '' })
  expect(signed.stderr).toContain('authority-certificate.pem')
  const authority = new X509Certificate(readFileSync(at('authority/authority-certificate.pem')))
  const certificate = new X509Certificate(readFileSync(at('c.pem')))
  expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true)
  expect(certificate.subject.split('\n')).toContain('C=US')
})

test('without --out, a wallet command prints only its result on standard output', async () => {
  const at = newFolder()
  const key = await run('key')
  expect(key.stdout).toMatch(/^-----BEGIN PRIVATE KEY-----\n[\s\S]+-----END PRIVATE KEY-----\n$/)
  writeFileSync(at('key'), key.stdout)
  const request = await run('request', '--key', at('key'), ...subject)
  writeFileSync(at('request'), request.stdout)
  const signed = await run('sign', at('request'), '--authority', at('authority'))
  expect(signed.stdout).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]+-----END CERTIFICATE-----\n$/)
})

describe('wallet commands exit with code 1 for errors in their input', () => {
  test('wallet check-request reports the errors of a request that another program made', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const at = newFolder({ r: makeSigningRequest({ key: privateKey, digest: 'sha1', subject: '/C=ZZ/CN=here' }) })
    const checked = await run('check-request', at('r'))
    expect(checked.code).toBe(1)
    for (const rule of ['2048 bits', 'SHA-256', 'ISO 3166', 'domain name']) expect(checked.stdout).toContain(rule)
    expect(checked.stdout).toContain('4 errors, 5 warnings')
    const signed = await run('sign', at('r'), '--authority', at('authority'))
    expect(signed).toMatchObject({ code: 1, stdout: '' })
    expect(existsSync(at('authority'))).toBe(false)
  })

  test('wallet check-card prints the findings of a card as text and as JSON', async () => {
    const barcode = { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333930' }
    const at = newFolder({ card: JSON.stringify({ barcode, locations: JSON.stringify([{ name: 'n', lat: 1 }]) }) })
    const checked = await run('check-card', at('card'))
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain('error    CheckDigit: barcode.value')
    expect(checked.stdout).toContain('error    MissingField: locations[0].address')
    expect(checked.stdout).toContain('warning  LonelyCoordinate: locations[0]')
    expect(checked.stdout).toContain(': 2 errors, 1 warning\n')
    expect(checked.stdout).toMatch(/address is required \(document 2, section 2, locations\)\n/)
    const asJson = await run('check-card', '--json', at('card'))
    expect(asJson.code).toBe(1)
    expect(JSON.parse(asJson.stdout)).toMatchObject({ errors: { length: 2 }, warnings: { length: 1 } })
  })

  test('wallet request reports all invalid fields at once', async () => {
    const at = newFolder({ key: 'unread' })
    const refused = await run('request', '--key', at('key'), '--country', 'USA')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('country must be two letters')
    expect(refused.stderr).toContain('commonName is required')
  })
})

test('wallet check-card exits with code 0 if a card has warnings but no errors', async () => {
  const at = newFolder({ good: '{}', doubtful: '{"location": []}' })
  expect(await run('check-card', at('good'))).toMatchObject({ code: 0 })
  expect(await run('check-card', at('doubtful'))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('UnknownField'),
  })
})

describe('wallet commands exit with code 2 for invalid usage', () => {
  test.each([
    [['paint'], 'unknown command paint'],
    [['constructor'], 'unknown command constructor'],
    [['key', '--bits', '1024'], '--bits'],
    [['key', 'extra'], 'too many arguments for key'],
    [['request'], 'required option --key <FILE> not specified'],
    [['check-card'], 'missing required argument FILE'],
    [['check-card', 'a', 'b'], 'too many arguments for check-card'],
    [['check-request', '/nowhere/at/all'], 'cannot read'],
    [['key', '--out', '/nowhere/at/all'], 'cannot write'],
    [['key', '--passphrase-file', '/dev/null'], 'the first line of /dev/null is empty'],
  ])('the arguments %j are rejected with a message', async (args, reason) => {
    const result = await run(...args)
    expect(result.code).toBe(2)
    expect(result.stdout).toBe('')
    expect(result.stderr).toContain(reason)
  })

  test('wallet request exits with code 2 if the key file does not contain a key', async () => {
    const at = newFolder({ key: 'no key' })
    expect(await run('request', '--key', at('key'), ...subject)).toMatchObject({ code: 2, stdout: '' })
  })

  test('wallet key exits with code 2 instead of overwriting a file', async () => {
    const at = newFolder({ key: 'precious' })
    expect(await run('key', '--out', at('key'))).toMatchObject({ code: 2 })
    expect(readFileSync(at('key'), 'utf8')).toBe('precious')
  })

  test('wallet sign exits with code 2 if the authority is not a folder', async () => {
    const at = newFolder({ authority: 'a file, not a directory' })
    writeFileSync(at('key'), (await run('key')).stdout)
    writeFileSync(at('request'), (await run('request', '--key', at('key'), ...subject)).stdout)
    expect(await run('sign', at('request'), '--authority', at('authority'))).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('help of the wallet commands', () => {
  test.each(['key', 'request', 'check-request', 'sign', 'check-card'])(
    'the help of wallet %s describes the command',
    async (name) => {
      expect(await run(name, '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining(`wallet ${name}`) })
      expect((await run('--help')).stdout).toContain(name)
    },
  )

  test('wallet without a command prints a usage error', async () => {
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage') })
  })
})
