import { type CommandOutput, exitCodes, UsageError } from './command-line.ts'
import { checkCardFile, checkRequestFile, makeKey, makeRequest, signRequestFile } from './wallet-commands.ts'

interface Command {
  usage: string
  summary: string
  /** One line an option. */
  options: string[]
  run: (args: string[], output: CommandOutput) => Promise<number>
}

const PASSPHRASE = '--passphrase-file FILE  its first line protects the key'
const OUT = '--out FILE              write there instead of to the standard output; never overwrites'

const commands: Record<string, Command> = {
  key: {
    usage: 'key [--passphrase-file FILE] [--out FILE]',
    summary: 'Make a private key: RSA, 2048 bits, PEM',
    options: [PASSPHRASE, OUT],
    run: makeKey,
  },
  request: {
    usage: 'request --key FILE --country US --state ... [--out FILE]',
    summary: 'Make a certificate signing request with SHA-256',
    options: [
      '--key FILE              the private key',
      PASSPHRASE,
      '--country CODE          two letters',
      '--state TEXT            state or province',
      '--locality TEXT         city',
      '--organization TEXT',
      '--unit TEXT             organizational unit',
      '--common-name NAME      exact fully qualified domain name',
      '--email ADDRESS',
      '--challenge-password TEXT, --company-name TEXT   optional',
      OUT,
    ],
    run: makeRequest,
  },
  'check-request': {
    usage: 'check-request FILE',
    summary: 'List everything that is wrong with a signing request',
    options: ['--json                  the findings as JSON'],
    run: checkRequestFile,
  },
  sign: {
    usage: 'sign FILE [--authority DIR] [--out FILE]',
    summary: 'Sign a request by the local authority, made on first use',
    options: ['--authority DIR         where the authority lives; default ./.vendor-cloud-authority', OUT],
    run: signRequestFile,
  },
  'check-card': {
    usage: 'check-card FILE',
    summary: 'List everything that is wrong with a card',
    options: [
      '--json                  the findings as JSON',
      'FILE holds {"barcode": ..., "locations": ..., "additionalInformation": ..., "classification": ...},',
      'each part optional, as JSON or as the escaped string that cards carry.',
    ],
    run: checkCardFile,
  },
}

/** `vendor-cloud wallet ...`; gives the exit code: 0 all is well, 1 findings, 2 it cannot be run like this. */
export async function runWallet(args: string[], output: CommandOutput): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') {
    output.stdout.write(describeAll())
    return args.length === 0 ? exitCodes.usage : exitCodes.ok
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    output.stderr.write(`vendor-cloud wallet: there is no command ${name}\n\n${describeAll()}`)
    return exitCodes.usage
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    output.stdout.write(describe(command))
    return exitCodes.ok
  }
  try {
    return await command.run(rest, output)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.stderr.write(`vendor-cloud wallet ${name}: ${error.message}\nUsage: vendor-cloud wallet ${command.usage}\n`)
    return exitCodes.usage
  }
}

function describe({ usage, summary, options }: Command): string {
  return `${summary}.\n\nUsage: vendor-cloud wallet ${usage}\n\n${options.map((line) => `  ${line}\n`).join('')}`
}

function describeAll(): string {
  const list = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}\n`)
  const codes = 'Exit codes: 0 all is well, 1 something was found, 2 it cannot be run like this.\n'
  return `Usage: vendor-cloud wallet COMMAND [options]\n\n${list.join('')}\nEach takes --help. ${codes}`
}
