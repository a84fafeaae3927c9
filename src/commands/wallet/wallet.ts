import { type CommandOutput, exitCodes } from '../input-output.ts'
import { type Commands, dispatch, isHelp, print, summarize } from '../dispatch.ts'
import { checkCardFile, checkRequestFile, makeKey, makeRequest, signRequestFile } from './wallet-commands.ts'

const PASSPHRASE = '--passphrase-file FILE  its first line protects the key'
const OUT = '--out FILE              write there instead of to the standard output; never overwrites'

export const walletCommands: Commands = {
  key: {
    usage: 'key [--passphrase-file FILE] [--out FILE]',
    summary: 'Make a private key: RSA, 2048 bits, PEM',
    example: 'key --out key.pem',
    options: async () => [PASSPHRASE, OUT],
    load: async () => makeKey,
  },
  request: {
    usage: 'request --key FILE --country US --state ... [--out FILE]',
    summary: 'Make a certificate signing request with SHA-256',
    example:
      'request --key key.pem --country US --state "New York" --locality "New York" --organization "Example Inc" ' +
      '--unit Cards --common-name cards.example.com --email cards@example.com --out request.pem',
    options: async () => [
      '--key FILE              the private key',
      PASSPHRASE,
      '--country CODE          two letters',
      '--state TEXT            state or province',
      '--locality TEXT         city',
      '--organization TEXT',
      '--unit TEXT             organizational unit',
      '--common-name NAME      exact fully qualified domain name',
      '--email ADDRESS',
      '--challenge-password TEXT   optional',
      '--company-name TEXT     optional',
      OUT,
    ],
    load: async () => makeRequest,
  },
  'check-request': {
    usage: 'check-request FILE',
    summary: 'List everything that is wrong with a signing request',
    example: 'check-request request.pem',
    options: async () => ['--json                  the findings as JSON'],
    load: async () => checkRequestFile,
  },
  sign: {
    usage: 'sign FILE [--authority DIR] [--out FILE]',
    summary: 'Sign a request by the local authority, made on first use',
    example: 'sign request.pem --out certificate.pem',
    options: async () => ['--authority DIR         where the authority lives; default ./.vendor-cloud-authority', OUT],
    load: async () => signRequestFile,
  },
  'check-card': {
    usage: 'check-card FILE',
    summary: 'List everything that is wrong with a card',
    example: 'check-card card.json --json',
    options: async () => [
      '--json                  the findings as JSON',
      'FILE holds {"barcode": ..., "locations": ..., "additionalInformation": ..., "classification": ...},',
      'each part optional, as JSON or as the escaped string that cards carry.',
    ],
    load: async () => checkCardFile,
  },
}

/** Exits with 0 when all is well, with 1 on findings, and with 2 when it cannot run like this. */
export async function runWallet(args: string[], output: CommandOutput): Promise<number> {
  const [first] = args
  if (first !== undefined && !isHelp(first))
    return dispatch({ program: 'vendor-cloud wallet', commands: walletCommands }, args, output)
  const codes = 'Exit codes: 0 all is well, 1 something was found, 2 it cannot be run like this.\n'
  print(
    output,
    `Keys, signing requests, certificates and card checks.\n\nUsage: vendor-cloud wallet COMMAND [options]\n\n${summarize(walletCommands)}\nEach takes --help. ${codes}` +
      '\nExample: vendor-cloud wallet key --out key.pem\n',
  )
  return first === undefined ? exitCodes.usage : exitCodes.ok
}
