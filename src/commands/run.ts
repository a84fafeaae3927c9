import { createPainter } from './colors.ts'
import { completionHelp, writeCompletion } from './completion.ts'
import { type CommandOutput, toPrintableOutput } from './input-output.ts'
import { type Command, dispatch, isHelp, print, summarize } from './dispatch.ts'

/** The command asks a running server, and has the options for that behind its own. */
function asking(
  usage: string,
  summary: string,
  load: Command['load'],
  own: Command['options'] = async () => [],
  shared: 'clientHelp' | 'serverHelp' = 'clientHelp',
): Command {
  const options = async () => [...(await own()), ...(await import('./client/client.ts'))[shared]]
  return { usage: `${usage} [options]`, summary, options, load }
}

const control = (name: keyof typeof import('./client/control.ts')) => async () =>
  (await import('./client/control.ts'))[name]

const listHelp = async () => (await import('./client/lists.ts')).listHelp

type ListName = Exclude<keyof typeof import('./client/lists.ts'), 'listHelp'>

function listing(name: ListName, summary: string, acts = '', shared?: 'serverHelp') {
  return asking(`${name}${acts}`, summary, async () => (await import('./client/lists.ts'))[name], listHelp, shared)
}

const commands: Record<string, Command> = {
  serve: {
    usage: '[serve] [options]',
    summary: 'Run the server; this is what happens without a command',
    options: async () => (await import('./serve.ts')).describeOptions(),
    load: async () => (await import('./serve.ts')).serve,
  },
  health: asking('health', 'Ask a running server whether it is ready', control('health'), async () => [
    '--live               whether its process answers, whatever its engines do',
  ]),
  logs: asking(
    'logs [--follow]',
    'Show what was asked and answered, and why it was refused',
    async () => (await import('./client/logs.ts')).logs,
    async () => (await import('./client/logs.ts')).logsHelp,
  ),
  worlds: listing('worlds', 'List the worlds, make one or end one', ' [create [NAME] | delete NAME]', 'serverHelp'),
  faults: listing(
    'faults',
    'List the provoked failures and how often each struck, make one or end one',
    ' [create JSON or PROFILE | delete ID]',
  ),
  devices: listing('devices', 'List the devices, make one or remove one', ' [create JSON | delete ID]'),
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
      '--out FILE           the case; never overwrites',
      '--whole              it holds all that the world began with, not what differs from the fixtures: for years',
      '--world NAME         the command works on a fork of this world',
      ...(await import('./client/client.ts')).addressHelp,
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
      '--until N               its steps 1 to N alone',
      '--keep                  leave a world that stands there: on a running server, or on one that is started',
      '--world NAME            the name of that world; without it, one is made',
      '--url URL               the server that keeps it; default: PORT of this machine',
      '--key KEY               of its control API, where it is needed; default: CONTROL_KEY',
      '--against URL           make its calls to another server instead, and group what differs',
      '--allow-writes          make those too that may change something there',
      '--secret token:1=VALUE  what a placeholder of the case stands for there; may be repeated',
      '--json                  the report as JSON',
    ],
    load: async () => (await import('./cases/replay.ts')).replay,
  },
  show: {
    usage: 'show FILE [options]',
    summary: 'Write a case for people to read: a page that needs no network, a diagram, or a script of curl',
    options: async () => (await import('./cases/show.ts')).showHelp,
    load: async () => (await import('./cases/show.ts')).show,
  },
  diff: asking(
    'diff A B',
    'Tell how two worlds differ, field by field: names of worlds, snapshots, or cases at a step (FILE@12)',
    async () => (await import('./cases/diff.ts')).diff,
    async () => [
      'A and B: the name of a world, NAME@STEP of a recorded one, a file of a snapshot, a case, or CASE@STEP',
    ],
    'serverHelp',
  ),
  compare: {
    usage: 'compare FILE --upstream URL [options]',
    summary: 'Make the calls of a case or HAR to a world of ours and to another server, and explain what differs',
    options: async () => (await import('./compare/compare.ts')).compareHelp,
    load: async () => (await import('./compare/compare.ts')).compare,
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
  proxy: {
    usage: 'proxy --host HOST [options] | proxy ca [options]',
    summary: 'Answer clients whose addresses cannot be changed, by HTTP or HTTPS',
    options: async () => (await import('./proxy/proxy.ts')).proxyHelp,
    load: async () => (await import('./proxy/proxy.ts')).proxy,
  },
  mcp: {
    usage: 'mcp [options]',
    summary: 'Give agents the tools of a server, by the Model Context Protocol on the standard streams',
    options: async () => (await import('./mcp/mcp.ts')).mcpHelp,
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  case: {
    usage: 'case COMMAND [options]',
    summary: 'Cases of what others have recorded: case from-har',
    commands: async () => (await import('./cases/case.ts')).caseCommands,
    load: async () => (await import('./cases/case.ts')).runCase,
  },
  doctor: {
    usage: 'doctor [--json]',
    summary: 'Tell what would keep a server from working here, and the line that mends it',
    options: async () => ['--json               JSON, for programs'],
    load: async () => (await import('./doctor/doctor.ts')).doctor,
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

/** Each example works when it is pasted, given a server and files of these names. */
const examples: Readonly<Record<string, string>> = {
  serve: 'serve --port 8081 --seed demo --simulate',
  health: 'health --url http://localhost:8080',
  logs: 'logs --follow --refused',
  worlds: 'worlds create demo',
  faults: `faults create '{"match": {"operation": 30}, "respond": {"status": 503}, "times": 2}'`,
  devices: 'devices --json',
  outbox: 'outbox --limit 5',
  purchases: 'purchases --all',
  tickets: 'tickets --limit 20',
  emit: 'emit aaaaaaaa-0000-4000-8000-000000000001 switch switch on',
  advance: 'advance P31D --world demo',
  reset: 'reset --world demo',
  snapshot: 'snapshot --out world.json',
  record: 'record --out failing.jsonl -- npm test',
  shrink: 'shrink failing.jsonl --out small.jsonl',
  replay: 'replay failing.jsonl',
  show: 'show failing.jsonl --out failing.html',
  diff: 'diff failing.jsonl@1 failing.jsonl@2',
  compare: 'compare failing.jsonl --upstream http://localhost:8080 --learn theirs.yaml',
  coverage: 'coverage --min 80 --format junit',
  examine: 'examine --only events -- node my-client.js',
  proxy: 'proxy --host support.vendor.example',
  mcp: 'mcp --read-only',
  doctor: 'doctor',
  completion: 'completion bash',
}
for (const [name, command] of Object.entries(commands)) command.example = examples[name]

/** Exits with 0 when all is well, with 1 when it failed, and with 2 when it cannot run like this. */
export async function runCommand(args: string[], terminal: CommandOutput): Promise<number> {
  const [first = 'serve'] = args
  const isForPrograms = args.includes('--json') || args.includes('--format')
  const paint = isForPrograms ? undefined : await createPainter(first.startsWith('-') ? 'serve' : first)
  return runOn(args, toPrintableOutput(terminal, paint))
}

async function runOn(args: string[], output: CommandOutput): Promise<number> {
  const [first = 'serve', ...others] = args
  if (first === 'help' && others[0] !== undefined) return runOn([...others, '--help'], output)
  if (isHelp(first)) return print(output, describeAll())
  if (first === '--version' || first === '-v')
    return print(output, `${(await import('../server/package-files.ts')).readVersion()}\n`)
  // Options without a command are the server's.
  const words = first.startsWith('-') ? ['serve', ...args] : [first, ...others]
  return dispatch({ program: 'vendor-cloud', commands, options: ['--version'] }, words, output)
}

function describeAll(): string {
  return (
    `A consumer-electronics vendor's support, event and billing APIs on your machine.\n\n` +
    `Usage: vendor-cloud [COMMAND] [options]\n\n${summarize(commands)}\n` +
    'Each takes --help. --version prints the version.\n' +
    'Exit codes: 0 all is well, 1 it failed, 2 it cannot be run like this.\n'
  )
}
