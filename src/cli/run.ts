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
    summary: 'Run the server; this is what happens without a command',
    load: async () => (await import('./serve.ts')).serve,
  },
  health: { summary: 'Ask a running server whether it is ready', load: control('health') },
  logs: {
    summary: 'Show requests, responses and the reasons of errors',
    load: async () => (await import('./client/logs.ts')).logs,
  },
  list: { summary: 'List worlds, faults, devices, outbox, purchases or tickets', load: resources('list') },
  create: { summary: 'Create a world, fault or device', load: resources('create') },
  delete: { summary: 'Delete a world, fault or device', load: resources('remove') },
  emit: { summary: 'Let a device report a value', load: control('emit') },
  advance: { summary: 'Move the clock forward', load: control('advance') },
  reset: { summary: 'Put the world where it was at its start', load: control('reset') },
  snapshot: { summary: 'Take the world as a file, or restore it from one', load: control('snapshot') },
  record: {
    summary: 'Run a command against a world of its own (VENDOR_CLOUD_URL), and write what happened as a case',
    load: async () => (await import('./cases/record.ts')).record,
  },
  replay: {
    summary: 'Make the steps of a case again in a fresh world, and show the first that differs',
    load: async () => (await import('./cases/replay.ts')).replay,
  },
  case: {
    summary: 'Shrink, show and compare cases, or convert an HTTP Archive',
    commands: {
      shrink: {
        summary: 'Leave out the steps of a case that the reply of its last one does not need',
        load: async () => (await import('./cases/shrink.ts')).shrink,
      },
      show: {
        summary: 'Write a case for people to read: a page that needs no network, a diagram, or a script of curl',
        load: async () => (await import('./cases/show.ts')).show,
      },
      diff: {
        summary: 'Show how two worlds, snapshots or steps of cases differ, field by field',
        load: async () => (await import('./cases/diff.ts')).diff,
      },
      'from-har': {
        summary: 'Write a case of an HTTP Archive, which browsers, proxies and our journal save',
        load: async () => (await import('./cases/from-har.ts')).fromHar,
      },
    },
  },
  compare: {
    summary: 'Make the calls of a case or HAR to a world of ours and to another server, and explain what differs',
    load: async () => (await import('./compare/compare.ts')).compare,
  },
  coverage: {
    summary: "Show what of the vendor's interfaces a world has covered, and what it has not",
    load: async () => (await import('./client/coverage.ts')).coverage,
  },
  examine: {
    summary: 'Run a client once for each scenario of the book, and grade it by the documents',
    load: async () => (await import('./examine/examine.ts')).examine,
  },
  proxy: {
    summary: 'Answer clients whose addresses cannot be changed, by HTTP or HTTPS',
    load: async () => (await import('./proxy/proxy.ts')).proxy,
    commands: {
      ca: {
        summary: 'Print the certificate of the authority and how clients trust it',
        load: async () => (await import('./proxy/proxy.ts')).authority,
      },
    },
  },
  mcp: {
    summary: 'Give agents the tools of a server, by the Model Context Protocol on the standard streams',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  doctor: {
    summary: 'Show what would keep a server from working here, and how to fix it',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  wallet: {
    summary: 'Create keys and signing requests, sign them, check requests and cards',
    commands: {
      key: { summary: 'Make a private key: RSA, 2048 bits, PEM', load: wallet('makeKey') },
      request: { summary: 'Make a certificate signing request with SHA-256', load: wallet('makeRequest') },
      'check-request': {
        summary: 'List everything that is wrong with a signing request',
        load: wallet('checkRequestFile'),
      },
      sign: { summary: 'Sign a request by the local authority, made on first use', load: wallet('signRequestFile') },
      'check-card': { summary: 'List everything that is wrong with a card', load: wallet('checkCardFile') },
    },
  },
}

const program = {
  description: "A consumer-electronics vendor's support, event and billing APIs on your machine.",
  version: async () => (await import('#server/package-files.ts')).readVersion(),
  commands,
}

/** Options without a command are the server's. */
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
