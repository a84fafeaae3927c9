import { createPainter } from './colors.ts'
import { type Commands, runProgram } from './command.ts'
import { type CommandOutput, toPrintableOutput } from './input-output.ts'

const control = (name: keyof typeof import('./client/control.ts')) => async () =>
  (await import('./client/control.ts'))[name]
const wallet = (name: keyof typeof import('./wallet/wallet.ts')) => async () =>
  (await import('./wallet/wallet.ts'))[name]
const resources = (name: 'list' | 'create' | 'remove') => async () => (await import('./client/resources.ts'))[name]

const commands: Commands = {
  serve: {
    summary: 'Run the server (the default command)',
    load: async () => (await import('./serve.ts')).serve,
  },
  health: { summary: 'Check whether a running server is ready', load: control('health') },
  logs: {
    summary: 'Show requests, responses and the reasons for errors',
    load: async () => (await import('./client/logs.ts')).logs,
  },
  list: { summary: 'List resources, such as worlds, purchases or tickets', load: resources('list') },
  create: { summary: 'Create a world, fault, device or token', load: resources('create') },
  delete: { summary: 'Delete a world, fault, device or token', load: resources('remove') },
  emit: { summary: 'Report a value on behalf of a device', load: control('emit') },
  advance: { summary: 'Move the clock forward', load: control('advance') },
  reset: { summary: 'Reset a world to its initial state', load: control('reset') },
  snapshot: { summary: 'Save a world to a file, or restore it from a file', load: control('snapshot') },
  record: {
    summary: 'Run a command against a new world (VENDOR_CLOUD_URL) and record it as a case',
    load: async () => (await import('./cases/record.ts')).record,
  },
  replay: {
    summary: 'Replay a case in a new world and show the first step that differs',
    load: async () => (await import('./cases/replay.ts')).replay,
  },
  case: {
    summary: 'Shrink, show and compare cases, or convert an HTTP Archive',
    commands: {
      shrink: {
        summary: 'Remove the steps of a case that its last response does not need',
        load: async () => (await import('./cases/shrink.ts')).shrink,
      },
      show: {
        summary: 'Convert a case to a self-contained HTML page, a diagram, an HTTP Archive or a curl script',
        load: async () => (await import('./cases/show.ts')).show,
      },
      diff: {
        summary: 'Show how two worlds, snapshots or steps of cases differ, field by field',
        load: async () => (await import('./cases/diff.ts')).diff,
      },
      'from-har': {
        summary: 'Convert an HTTP Archive (HAR) from a browser, a proxy or the journal to a case',
        load: async () => (await import('./cases/from-har.ts')).fromHar,
      },
    },
  },
  compare: {
    summary: 'Send the calls of a case or HAR to a world and to another server, and explain the differences',
    load: async () => (await import('./compare/compare.ts')).compare,
  },
  coverage: {
    summary: "Show which parts of the vendor's interfaces were covered in a world",
    load: async () => (await import('./client/coverage.ts')).coverage,
  },
  examine: {
    summary: "Run a client once for each scenario and grade it against the vendor's documents",
    load: async () => (await import('./examine/examine.ts')).examine,
  },
  proxy: {
    summary: 'Run an HTTP and HTTPS proxy for clients with fixed server addresses',
    load: async () => (await import('./proxy/proxy.ts')).proxy,
    commands: {
      ca: {
        summary: "Print the proxy's CA certificate and explain how clients can trust it",
        load: async () => (await import('./proxy/proxy.ts')).authority,
      },
    },
  },
  mcp: {
    summary: 'Serve MCP tools for agents on stdin and stdout',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  doctor: {
    summary: 'Find problems that would keep a server from running here, and show how to fix them',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  wallet: {
    summary: 'Create keys and signing requests, sign them, check requests and cards',
    commands: {
      key: { summary: 'Create a private key (RSA, 2048 bits, PEM)', load: wallet('makeKey') },
      request: { summary: 'Create a certificate signing request with SHA-256', load: wallet('makeRequest') },
      'check-request': {
        summary: 'Check a certificate signing request',
        load: wallet('checkRequestFile'),
      },
      sign: {
        summary: 'Sign a request with the local authority, which is created on first use',
        load: wallet('signRequestFile'),
      },
      'check-card': { summary: 'Check a card', load: wallet('checkCardFile') },
    },
  },
}

const program = {
  description: "A consumer-electronics vendor's support, event and billing APIs on your machine.",
  version: async () => (await import('#server/package-files.ts')).readVersion(),
  commands,
}

/** Options without a command are options of `serve`. */
export async function runCommand(args: string[], terminal: CommandOutput): Promise<number> {
  const [first = 'serve', ...others] = args
  const isAboutAll = ['--help', '-h', '--version'].includes(first)
  const isKnown = others[0] === undefined || Object.hasOwn(commands, others[0])
  const words =
    first === 'help'
      ? [...others, ...(isKnown ? ['--help'] : [])]
      : isAboutAll || !first.startsWith('-')
        ? [first, ...others]
        : ['serve', ...args]
  const isForPrograms = args.includes('--json') || args.includes('--format')
  const paint = isForPrograms ? undefined : await createPainter(words[0]!)
  return runProgram(program, words, toPrintableOutput(terminal, paint))
}
