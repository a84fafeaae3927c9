import { checkCard } from '../../server/domain/wallet/cards.ts'
import {
  checkSigningRequest,
  issueCertificate,
  readRequestFields,
} from '../../server/domain/wallet/security-factors.ts'
import { UnusableKey } from '../../server/ports/failures.ts'
import { createWalletPorts } from '../../server/runtime.ts'
import { flag, parseCommand, parseFileCommand, text, UsageError } from '../arguments.ts'
import { type CommandOutput, exitCodes, readText, writeResult } from '../input-output.ts'
import { report } from './findings.ts'

/** Only its owner may read a key. */
const SECRET = 0o600

const AUTHORITY = '../.vendor-cloud-authority'

export async function makeKey(args: string[], output: CommandOutput): Promise<number> {
  const { values } = parseCommand(args, { 'passphrase-file': text, out: text })
  const passphrase = await readPassphrase(values['passphrase-file'])
  const { certificates } = createWalletPorts(AUTHORITY)
  await writeResult(await certificates.newKey(passphrase), values.out, output, SECRET)
  return exitCodes.ok
}

export async function makeRequest(args: string[], output: CommandOutput): Promise<number> {
  const { values } = parseCommand(args, {
    key: text,
    'passphrase-file': text,
    ...fieldOptions,
    out: text,
  })
  if (values.key === undefined) throw new UsageError('--key FILE is needed; `vendor-cloud wallet key` makes one')
  const result = readRequestFields({
    ...values,
    commonName: values['common-name'],
    challengePassword: values['challenge-password'] || undefined,
    companyName: values['company-name'] || undefined,
  })
  if ('errors' in result) return report('the request', { errors: result.errors, warnings: [] }, toStderr(output))
  const key = { pem: await readText(values.key), passphrase: await readPassphrase(values['passphrase-file']) }
  const { certificates } = createWalletPorts(AUTHORITY)
  const request = await certificates.newRequest(key, result.fields).catch((error: Error) => {
    throw error instanceof UnusableKey ? new UsageError(`${values.key}: ${error.message}`) : error
  })
  await writeResult(request, values.out, output)
  return exitCodes.ok
}

export async function checkRequestFile(args: string[], output: CommandOutput): Promise<number> {
  const { values, file } = parseFileCommand(args, { json: flag })
  const findings = await checkSigningRequest(createWalletPorts(AUTHORITY), await readText(file))
  return show(file, findings, values.json, output)
}

export async function signRequestFile(args: string[], output: CommandOutput): Promise<number> {
  const { values, file } = parseFileCommand(args, { authority: text, out: text })
  const directory = values.authority ?? AUTHORITY
  const ports = createWalletPorts(directory)
  const request = await readText(file)
  const findings = await checkSigningRequest(ports, request)
  const code = report(file, findings, toStderr(output))
  if (code !== exitCodes.ok) return code
  const { certificate } = await issueCertificate(ports, request).catch((error: Error) => {
    throw new UsageError(`the authority in ${directory} cannot sign: ${error.message}`)
  })
  await writeResult(certificate, values.out, output)
  output.stderr.write(`signed by the authority whose certificate is ${directory}/authority-certificate.pem\n`)
  return exitCodes.ok
}

export async function checkCardFile(args: string[], output: CommandOutput): Promise<number> {
  const { values, file } = parseFileCommand(args, { json: flag })
  return show(file, checkCard(await readText(file)), values.json, output)
}

const fieldOptions = {
  country: text,
  state: text,
  locality: text,
  organization: text,
  unit: text,
  'common-name': text,
  email: text,
  'challenge-password': text,
  'company-name': text,
}

function show(file: string, findings: Parameters<typeof report>[1], json: boolean | undefined, output: CommandOutput) {
  if (!json) return report(file, findings, output)
  output.stdout.write(`${JSON.stringify(findings, undefined, 2)}\n`)
  return findings.errors.length > 0 ? exitCodes.findings : exitCodes.ok
}

/** The passphrase is the file's first line: other processes can see the arguments of a command, but not its files. */
async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const [line = ''] = (await readText(file)).split(/\r?\n/, 1)
  if (line === '') throw new UsageError(`${file} holds no passphrase in its first line`)
  return line
}

/** The standard output is kept for what is made. */
function toStderr({ stderr }: CommandOutput): CommandOutput {
  return { stdout: stderr, stderr }
}
