import { completionHelp, writeCompletion } from './completion.ts'
import { type CommandOutput, toPrintableOutput } from './input-output.ts'
import { type Command, dispatch, isHelp, print, summarize } from './dispatch.ts'

/** Asks a running server: behind its own options it has those of all of them. */
function asking(usage: string, summary: string, load: Command['load'], own: Command['options'] = async () => []) {
  const options = async () => [...(await own()), ...(await import('./client/client.ts')).clientHelp]
  return { usage: `${usage} [options]`, summary, options, load }
}

const control = (name: keyof typeof import('./client/control.ts')) => async () =>
  (await import('./client/control.ts'))[name]

function listing(name: keyof typeof import('./client/lists.ts'), summary: string) {
  return asking(name, summary, async () => (await import('./client/lists.ts'))[name])
}

const commands: Record<string, Command> = {
  serve: {
    usage: '[serve] [options]',
    summary: 'Run the server; this is what happens without a command',
    options: async () => (await import('./serve.ts')).describeOptions(),
    load: async () => (await import('./serve.ts')).serve,
  },
  health: asking('health', 'Ask a running server whether it is ready', control('health')),
  logs: asking(
    'logs [--follow]',
    'Show what was asked and answered, and why it was refused',
    async () => (await import('./client/logs.ts')).logs,
    async () => (await import('./client/logs.ts')).logsHelp,
  ),
  worlds: listing('worlds', 'List the worlds'),
  faults: listing('faults', 'List the provoked failures, and how often each struck'),
  outbox: listing('outbox', 'List e-mails and SMS that would have been sent, newest first'),
  purchases: listing('purchases', 'List the subscriptions that were sold'),
  tickets: listing('tickets', 'List dealer tickets and in-store requests'),
  emit: asking(
    'emit DEVICE CAPABILITY ATTRIBUTE VALUE',
    'Let a device report something: emit ... switch switch on',
    control('emit'),
    async () => [
      '--component ID       default main',
      '--unit TEXT          such as C',
      '--force              take a capability, attribute or value that is not known, too',
    ],
  ),
  advance: asking('advance DURATION', 'Move the clock forward: P31D, PT90S or milliseconds', control('advance')),
  reset: asking('reset', 'Put the world where it was at its start', control('reset')),
  snapshot: asking(
    'snapshot [--out FILE | --restore FILE]',
    'Take the world as a file, or put it where a file says',
    control('snapshot'),
    async () => [
      '--out FILE           write there instead of to the standard output; never overwrites',
      '--restore FILE       put the world where this file says; - is the standard input',
    ],
  ),
  record: {
    usage: 'record --out FILE [options] -- COMMAND',
    summary: 'Run a command against a world of its own (VENDOR_CLOUD_URL), and write what happened as a case',
    options: async () => [
      '--out FILE      the case; never overwrites',
      '--whole         it holds all that the world began with, not what differs from the fixtures: for years',
      '--world NAME    the command works on a fork of this world',
      ...(await import('./client/client.ts')).clientHelp.filter((line) => !line.startsWith('--world')),
    ],
    load: async () => (await import('./cases/record.ts')).record,
  },
  shrink: {
    usage: 'shrink FILE --out FILE [--step N]',
    summary: 'Leave out the steps of a case that the reply of its last one does not need',
    options: async () => [
      '--out FILE  the smaller case; never overwrites',
      '--step N    the reply of this step instead',
    ],
    load: async () => (await import('./cases/shrink.ts')).shrink,
  },
  replay: {
    usage: 'replay FILE [options]',
    summary: 'Make the steps of a case again in a fresh world, and show the first that differs',
    options: async () => [
      '--against URL           make its calls to another server instead, and group what differs',
      '--allow-writes          make those too that may change something there',
      '--secret token:1=VALUE  what a placeholder of the case stands for there; may be repeated',
      '--json                  the report as JSON',
    ],
    load: async () => (await import('./cases/replay.ts')).replay,
  },
  coverage: asking(
    'coverage [--min PERCENT] [--format text|json|junit]',
    "Tell what of the vendor's interfaces a world has met, and the calls that would meet the rest",
    async () => (await import('./client/coverage.ts')).coverage,
    async () => [
      '--min PERCENT        exit code 1 when less was met',
      '--format FORMAT      text, json or junit; default: text',
    ],
  ),
  examine: {
    usage: 'examine [options] -- COMMAND',
    summary: 'Run a client once for each scenario of the book, and grade it by the documents',
    options: async () => (await import('./examine/examine.ts')).examineHelp,
    load: async () => (await import('./examine/examine.ts')).examine,
  },
  wallet: {
    usage: 'wallet COMMAND [options]',
    summary: 'Keys, signing requests, certificates and card checks',
    commands: async () => (await import('./wallet/wallet.ts')).walletCommands,
    load: async () => (await import('./wallet/wallet.ts')).runWallet,
  },
  completion: {
    usage: 'completion SHELL',
    summary: 'Write what completes these commands in bash, zsh or fish',
    options: async () => completionHelp,
    load: async () => (args, output) => writeCompletion(args, output, commands),
  },
}

/** `vendor-cloud ...`; gives the exit code: 0 all is well, 1 it failed, 2 it cannot be run like this. */
export async function runCommand(args: string[], terminal: CommandOutput): Promise<number> {
  return runOn(args, toPrintableOutput(terminal))
}

async function runOn(args: string[], output: CommandOutput): Promise<number> {
  const [first = 'serve', ...others] = args
  if (first === 'help' && others[0] !== undefined) return runOn([...others, '--help'], output)
  if (isHelp(first)) return print(output, describeAll())
  if (first === '--version' || first === '-v')
    return print(output, `${(await import('../server/package-files.ts')).readVersion()}\n`)
  // Options alone are for the server.
  const words = first.startsWith('-') ? ['serve', ...args] : [first, ...others]
  return dispatch({ program: 'vendor-cloud', commands }, words, output)
}

function describeAll(): string {
  return (
    `A consumer-electronics vendor's support, event and billing APIs on your machine.\n\n` +
    `Usage: vendor-cloud [COMMAND] [options]\n\n${summarize(commands)}\n` +
    'Each takes --help. --version prints the version.\n' +
    'Exit codes: 0 all is well, 1 it failed, 2 it cannot be run like this.\n'
  )
}
