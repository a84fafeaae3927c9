import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { describeFailure } from '#contract/failures.ts'
import { hasAuthority } from '#server/adapters/certificates/authority.ts'
import { type HostAuthority, keepHostAuthority } from '#server/adapters/certificates/host-authority.ts'
import { systemClock } from '#server/adapters/node/clock.ts'
import { createForwardProxy } from '#tools/proxy/forward-proxy.ts'
import type { NamedHost } from '#contract/documents/named-hosts.ts'
import { defineCommand } from '../command.ts'
import { type CommandOutput, exitCodes, oneOf, UsageError } from '../input-output.ts'
import { readHost } from '../option-values.ts'
import { type Answering, isRunningServer, openWorld } from './answering.ts'
import { type CompareOptions, openCompare } from './compare.ts'
import { openRecord } from './upstream.ts'

const authorityOptions = {
  host: {
    takes: 'HOST[=LIST]',
    about: 'Host to respond for, limited to the interfaces in LIST (support, events, wallet, billing). Can be repeated',
    many: true,
  },
  listen: { takes: 'HOST:PORT', about: 'Address of the proxy', default: '127.0.0.1:8888' },
  ca: { takes: 'DIR', about: "Directory of the proxy's CA, created on first use (default: ~/.vendor-cloud/ca)" },
} as const

export const proxy = defineCommand({
  options: {
    ...authorityOptions,
    mode: {
      takes: 'MODE',
      about: 'emulate: a world responds; record: the upstream responds and a case is written; compare: both are called',
      default: 'emulate',
    },
    upstream: {
      takes: 'URL',
      about: 'Server to forward requests to; only GET, HEAD, OPTIONS and SOAP unless --allow-writes is set',
    },
    out: { takes: 'FILE', about: 'Write the case or the report to this file; an existing file is not overwritten' },
    answer: {
      takes: 'SIDE',
      about: 'Response to return in `compare` mode: upstream or emulator (default: upstream)',
    },
    'allow-writes': {
      takes: '[LIST]',
      about: 'Also forward calls that write: all, or those of the listed operations, such as 8,9',
    },
    rate: { takes: 'N', about: 'Maximum calls per second to the upstream; further calls wait up to 30 s (default: 5)' },
    url: { takes: 'URL', about: 'Server to use (default: a new one)' },
    world: { takes: 'NAME', about: 'World of that server to use' },
  },
  example: 'proxy --host support.vendor.example',
  async run({ values }, output) {
    const hosts = readHosts(values.host)
    const listen = readListen(values.listen)
    // An unreachable server or existing file is reported before a certificate authority is created.
    const isOwn = readMode(values) === 'emulate' && !isRunningServer(values)
    const early = isOwn ? undefined : await openMode(values, hosts, output)
    const authority = await openAuthority(values.ca, hosts)
    const answering = early ?? (await openMode(values, hosts, output))
    const server = createForwardProxy({
      hosts,
      certify: (host) => authority.certify(host, systemClock.now()),
      answer: answering.answer,
      now: systemClock.now,
    })
    const close = async () => {
      server.close()
      server.closeAllConnections()
      await answering.close()
    }
    const listens = await begin(server, listen, answering).catch(async (error: Error) => {
      await close()
      throw error
    })
    closeWithGrace({ delay: 10_000, logger: false }, close)
    const [{ host }] = hosts as [NamedHost]
    const about = {
      Authority: `${authority.file} (vendor-cloud proxy ca shows how clients can trust it)`,
      ...answering.about,
    }
    const lines = Object.entries(about).map(([title, line]) => `  ${title.padEnd(12)}  ${line}\n`)
    output.stdout.write(`vendor-cloud proxy listens on ${listens} for ${hosts.map((each) => each.host).join(', ')}

${lines.join('')}  Try           curl -x ${listens} --cacert '${authority.file}' -H 'request-source: vendor.com' 'https://${host}/stg/us/guest/zipCode?zipCode=07660'
`)
    return exitCodes.ok
  },
})

type Values = CompareOptions & { mode: string }

/** Modes in which each option has an effect. In other modes, the option is rejected. */
const ofModes: Readonly<Record<string, readonly string[]>> = {
  upstream: ['record', 'compare'],
  out: ['record', 'compare'],
  'allow-writes': ['record', 'compare'],
  rate: ['record', 'compare'],
  answer: ['compare'],
  url: ['emulate', 'compare'],
  world: ['emulate', 'compare'],
}

function readMode(values: Values) {
  const mode = oneOf(values.mode, ['emulate', 'record', 'compare'])
  for (const [name, modes] of Object.entries(ofModes)) {
    const isGiven = values[name as keyof Values] !== undefined
    if (isGiven && !modes.includes(mode)) throw new UsageError(`--${name} cannot be used with --mode ${mode}`)
  }
  return mode
}

async function openMode(values: Values, hosts: readonly NamedHost[], output: CommandOutput): Promise<Answering> {
  const mode = readMode(values)
  if (mode === 'record') return openRecord(values, output)
  return mode === 'compare' ? openCompare(values, hosts, output) : openWorld(values)
}

async function begin(server: Server, { hostname, port }: Listen, answering: Answering): Promise<string> {
  try {
    server.listen(port, hostname)
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(`cannot listen on ${hostname}:${port}: ${describeFailure(error)}`)
  }
  answering.begin?.()
  const address = server.address() as AddressInfo
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`
}

export const authority = defineCommand({
  options: authorityOptions,
  example: 'proxy ca --host support.vendor.example',
  async run({ values }, { stdout }) {
    const { hostname, port } = readListen(values.listen)
    // An existing certificate authority already contains its host names.
    const hosts = values.host === undefined && hasAuthority(directoryOf(values.ca)) ? [] : readHosts(values.host)
    const { certificate, file } = await openAuthority(values.ca, hosts)
    stdout.write(`${certificate}\n${describeTrust(file, `http://${hostname}:${port}`)}`)
    return exitCodes.ok
  },
})

function describeTrust(file: string, proxy: string): string {
  const path = `'${file.replaceAll("'", `'\\''`)}'`
  const lines: readonly (readonly [string, string])[] = [
    ['curl', `curl --proxy ${proxy} --cacert ${path} https://...`],
    ['Node 24', `NODE_USE_ENV_PROXY=1 HTTPS_PROXY=${proxy} NODE_EXTRA_CA_CERTS=${path} node client.js`],
    ['Java', `keytool -importcert -noprompt -alias vendor-cloud -file ${path} -keystore trust.p12 -storepass changeit`],
    [
      '',
      `java -Dhttps.proxyHost=... -Dhttps.proxyPort=... -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit Client`,
    ],
    ['Python', `HTTPS_PROXY=${proxy} SSL_CERT_FILE=${path} REQUESTS_CA_BUNDLE=${path} python3 client.py`],
    ['Go', `HTTPS_PROXY=${proxy} SSL_CERT_FILE=${path} ./client`],
  ]
  return lines.map(([name, line]) => `# ${name.padEnd(8)} ${line}\n`).join('')
}

function readHosts(given: readonly string[] = []): NamedHost[] {
  if (given.length === 0) throw new UsageError('--host is missing. Add the host name that the client connects to')
  return given.map(readHost)
}

interface Listen {
  hostname: string
  port: number
}

/** Default: loopback, because the proxy has no access control. */
function readListen(given: string): Listen {
  const [, hostname = '127.0.0.1', port = ''] = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(given) ?? []
  if (port === '' || Number(port) > 65_535)
    throw new UsageError(`--listen ${given} is not a valid address. Use a form such as 127.0.0.1:8888`)
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

const directoryOf = (folder: string | undefined) => folder ?? join(homedir(), '.vendor-cloud', 'ca')

async function openAuthority(folder: string | undefined, hosts: readonly NamedHost[]): Promise<HostAuthority> {
  const directory = directoryOf(folder)
  const names = hosts.map(({ host }) => host)
  const authority = await keepHostAuthority(directory, names).catch((error: Error) => {
    throw new UsageError(`cannot use the authority in ${directory}: ${describeFailure(error)}`)
  })
  const foreign = names.filter((name) => !authority.hosts.some((host) => name === host || name.endsWith(`.${host}`)))
  if (foreign.length === 0) return authority
  throw new UsageError(
    `the authority in ${directory} cannot certify ${foreign.join(', ')}, only ${authority.hosts.join(', ')}. ` +
      'Create another one for all hosts with --ca and let clients trust it',
  )
}
