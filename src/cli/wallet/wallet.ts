import { checkCard } from '#server/domain/wallet/cards.ts'
import { checkSigningRequest, issueCertificate, readRequestFields } from '#server/domain/wallet/security-factors.ts'
import { UnusableKey } from '#server/ports/failures.ts'
import { createWalletPorts } from '#server/runtime.ts'
import type { Finding as ClientFinding } from '#tools/client/errors.ts'
import { defineCommand } from '../command.ts'
import { type CommandOutput, exitCodes, readText, UsageError, writeResult } from '../input-output.ts'

/** File mode of a private key: only its owner can read it. */
const SECRET = 0o600

const AUTHORITY = '../.vendor-cloud-authority'

const jsonOption = { json: { about: 'Print the findings as JSON' } } as const
const passphrase = { takes: 'FILE', about: 'File whose first line is the passphrase of the key' } as const
const out = {
  takes: 'FILE',
  about: 'Write to this file instead of standard output; an existing file is not overwritten',
} as const

export const makeKey = defineCommand({
  options: { 'passphrase-file': passphrase, out },
  example: 'wallet key --out key.pem',
  async run({ values }, output) {
    const passphrase = await readPassphrase(values['passphrase-file'])
    const { certificates } = createWalletPorts(AUTHORITY)
    await writeResult(await certificates.newKey(passphrase), values.out, output, SECRET)
    return exitCodes.ok
  },
})

export const makeRequest = defineCommand({
  options: {
    key: { takes: 'FILE', about: 'Private key; `vendor-cloud wallet key` creates one', required: true },
    'passphrase-file': passphrase,
    country: { takes: 'CODE', about: 'Two letters' },
    state: { takes: 'TEXT', about: 'State or province' },
    locality: { takes: 'TEXT', about: 'City' },
    organization: { takes: 'TEXT', about: 'Organization' },
    unit: { takes: 'TEXT', about: 'Organizational unit' },
    'common-name': { takes: 'NAME', about: 'Exact fully qualified domain name' },
    email: { takes: 'ADDRESS', about: 'Email address' },
    'challenge-password': { takes: 'TEXT', about: 'Optional' },
    'company-name': { takes: 'TEXT', about: 'Optional' },
    out,
  },
  example:
    'wallet request --key key.pem --country US --state "New York" --locality "New York" --organization "Example Inc" ' +
    '--unit Cards --common-name cards.example.com --email cards@example.com --out request.pem',
  async run({ values }, output) {
    const result = readRequestFields({
      ...values,
      commonName: values['common-name'],
      challengePassword: values['challenge-password'] || undefined,
      companyName: values['company-name'] || undefined,
    })
    if ('errors' in result) return report('the request', { errors: result.errors, warnings: [] }, output.stderr)
    const key = { pem: await readText(values.key), passphrase: await readPassphrase(values['passphrase-file']) }
    const { certificates } = createWalletPorts(AUTHORITY)
    const request = await certificates.newRequest(key, result.fields).catch((error: Error) => {
      throw error instanceof UnusableKey ? new UsageError(`${values.key}: ${error.message}`) : error
    })
    await writeResult(request, values.out, output)
    return exitCodes.ok
  },
})

export const checkRequestFile = defineCommand({
  words: { '<FILE>': 'the signing request' },
  options: jsonOption,
  example: 'wallet check-request request.pem',
  async run({ values, words: [file = ''] }, output) {
    const findings = await checkSigningRequest(createWalletPorts(AUTHORITY), await readText(file))
    return report(file, findings, output.stdout, values.json)
  },
})

export const signRequestFile = defineCommand({
  words: { '<FILE>': 'the signing request' },
  options: { authority: { takes: 'DIR', about: 'Directory of the authority', default: AUTHORITY }, out },
  example: 'wallet sign request.pem --out certificate.pem',
  async run({ values, words: [file = ''] }, output) {
    const directory = values.authority
    const ports = createWalletPorts(directory)
    const request = await readText(file)
    const findings = await checkSigningRequest(ports, request)
    const code = report(file, findings, output.stderr)
    if (code !== exitCodes.ok) return code
    const { certificate } = await issueCertificate(ports, request).catch((error: Error) => {
      throw new UsageError(`cannot sign with the authority in ${directory}: ${error.message}`)
    })
    await writeResult(certificate, values.out, output)
    output.stderr.write(`Signed. The certificate of the authority is ${directory}/authority-certificate.pem\n`)
    return exitCodes.ok
  },
})

export const checkCardFile = defineCommand({
  words: { '<FILE>': 'the card' },
  options: jsonOption,
  example: 'wallet check-card card.json --json',
  notes: `FILE contains {"barcode": ..., "locations": ..., "additionalInformation": ..., "classification": ...},
each part optional, as JSON or as an escaped JSON string as in a card.`,
  run: async ({ values, words: [file = ''] }, output) =>
    report(file, checkCard(await readText(file)), output.stdout, values.json),
})

/** The passphrase is read from a file, because other users can see the arguments of a command. */
async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const [line = ''] = (await readText(file)).split(/\r?\n/, 1)
  if (line === '') throw new UsageError(`the first line of ${file} is empty. Write the passphrase there`)
  return line
}

interface Findings {
  errors: readonly Finding[]
  warnings: readonly Finding[]
}

type Finding = Pick<ClientFinding, 'code' | 'message' | 'source'>

/** Returns the exit code. Warnings do not count as failures. */
function report(name: string, findings: Findings, stream: CommandOutput['stdout'], json = false): number {
  const { errors, warnings } = findings
  if (json) stream.write(`${JSON.stringify(findings, undefined, 2)}\n`)
  else {
    for (const finding of errors) stream.write(`error    ${describe(finding)}\n`)
    for (const finding of warnings) stream.write(`warning  ${describe(finding)}\n`)
    stream.write(`${name}: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}\n`)
  }
  return errors.length > 0 ? exitCodes.findings : exitCodes.ok
}

function describe({ code, message, source }: Finding): string {
  return `${code}: ${message}${source ? ` (${source})` : ''}`
}

function count(number: number, noun: string): string {
  return `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`
}
