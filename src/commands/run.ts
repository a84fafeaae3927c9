import { completionHelp, writeCompletion } from './completion.ts'
import type { CommandOutput } from './command-line.ts'
import { type Command, dispatch, isHelp, print, summarize } from './dispatch.ts'

const forClients = async () => (await import('./client.ts')).clientHelp

const commands: Record<string, Command> = {
  serve: {
    usage: '[serve] [options]',
    summary: 'Run the server; this is what happens without a command',
    options: async () => (await import('./serve.ts')).describeOptions(),
    load: async () => (await import('./serve.ts')).serve,
  },
  health: {
    usage: 'health [options]',
    summary: 'Ask a running server whether it is ready',
    options: forClients,
    load: async () => (await import('./control.ts')).health,
  },
  logs: {
    usage: 'logs [--follow] [options]',
    summary: 'Show what was asked and answered, and why it was refused',
    options: async () => [...(await import('./logs.ts')).logsHelp, ...(await forClients())],
    load: async () => (await import('./logs.ts')).logs,
  },
  worlds: {
    usage: 'worlds [options]',
    summary: 'List the worlds',
    options: forClients,
    load: async () => (await import('./lists.ts')).worlds,
  },
  faults: {
    usage: 'faults [options]',
    summary: 'List the provoked failures, and how often each struck',
    options: forClients,
    load: async () => (await import('./lists.ts')).faults,
  },
  outbox: {
    usage: 'outbox [options]',
    summary: 'List e-mails and SMS that would have been sent, newest first',
    options: forClients,
    load: async () => (await import('./lists.ts')).outbox,
  },
  purchases: {
    usage: 'purchases [options]',
    summary: 'List the subscriptions that were sold',
    options: forClients,
    load: async () => (await import('./lists.ts')).purchases,
  },
  tickets: {
    usage: 'tickets [options]',
    summary: 'List dealer tickets and in-store requests',
    options: forClients,
    load: async () => (await import('./lists.ts')).tickets,
  },
  emit: {
    usage: 'emit DEVICE CAPABILITY ATTRIBUTE VALUE [options]',
    summary: 'Let a device report something: emit ... switch switch on',
    options: async () => [
      '--component ID       default main',
      '--unit TEXT          such as C',
      ...(await forClients()),
    ],
    load: async () => (await import('./control.ts')).emit,
  },
  advance: {
    usage: 'advance DURATION [options]',
    summary: 'Move the clock forward: P31D, PT90S or milliseconds',
    options: forClients,
    load: async () => (await import('./control.ts')).advance,
  },
  reset: {
    usage: 'reset [options]',
    summary: 'Put the world where it was at its start',
    options: forClients,
    load: async () => (await import('./control.ts')).reset,
  },
  snapshot: {
    usage: 'snapshot [--out FILE | --restore FILE] [options]',
    summary: 'Take the world as a file, or put it where a file says',
    options: async () => [
      '--out FILE           write there instead of to the standard output; never overwrites',
      '--restore FILE       put the world where this file says; - is the standard input',
      ...(await forClients()),
    ],
    load: async () => (await import('./control.ts')).snapshot,
  },
  record: {
    usage: 'record --out FILE [options] -- COMMAND',
    summary: 'Run a command against a world of its own (VENDOR_CLOUD_URL), and write what happened as a case',
    options: async () => [
      '--out FILE      the case; never overwrites',
      '--world NAME    the command works on a fork of this world',
      ...(await forClients()).filter((line) => !line.startsWith('--world')),
    ],
    load: async () => (await import('./record.ts')).record,
  },
  shrink: {
    usage: 'shrink FILE --out FILE [--step N]',
    summary: 'Leave out the steps of a case that the reply of its last one does not need',
    options: async () => [
      '--out FILE  the smaller case; never overwrites',
      '--step N    the reply of this step instead',
    ],
    load: async () => (await import('./shrink.ts')).shrink,
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
    load: async () => (await import('./replay.ts')).replay,
  },
  coverage: {
    usage: 'coverage [--min PERCENT] [--format text|json|junit] [options]',
    summary: "Tell what of the vendor's interfaces a world has met, and the calls that would meet the rest",
    options: async () => [
      '--min PERCENT        exit code 1 when less was met',
      '--format FORMAT      text, json or junit; default: text',
      ...(await forClients()),
    ],
    load: async () => (await import('./coverage.ts')).coverage,
  },
  examine: {
    usage: 'examine [options] -- COMMAND',
    summary: 'Run a client once for each scenario of the book, and grade it by the documents',
    options: async () => (await import('./examine.ts')).examineHelp,
    load: async () => (await import('./examine.ts')).examine,
  },
  wallet: {
    usage: 'wallet COMMAND [options]',
    summary: 'Keys, signing requests, certificates and card checks',
    load: async () => (await import('./wallet.ts')).runWallet,
  },
  completion: {
    usage: 'completion SHELL',
    summary: 'Write what completes these commands in bash, zsh or fish',
    options: async () => completionHelp,
    load: async () => (args, output) => writeCompletion(args, output, commands),
  },
}

/** `vendor-cloud ...`; gives the exit code: 0 all is well, 1 it failed, 2 it cannot be run like this. */
export async function runCommand(args: string[], output: CommandOutput): Promise<number> {
  const [first = 'serve', ...others] = args
  if (first === 'help' && others[0] !== undefined) return runCommand([...others, '--help'], output)
  if (isHelp(first)) return print(output, describeAll())
  if (first === '--version' || first === '-v')
    return print(output, `${(await import('../package-files.ts')).readVersion()}\n`)
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
