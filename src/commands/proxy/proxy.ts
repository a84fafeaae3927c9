import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { Agent } from 'undici'
import { type HostAuthority, keepHostAuthority } from '../../server/adapters/certificates/host-authority.ts'
import { readConfig } from '../../server/config.ts'
import { startServer } from '../../server/server.ts'
import { createForwardProxy, type ProxiedCall } from '../../tools/proxy/forward-proxy.ts'
import { type NamedHost, readNamedHost } from '../../tools/proxy/named-hosts.ts'
import { relay } from '../../tools/proxy/relay.ts'
import { oneOf, parseCommand, text, UsageError } from '../arguments.ts'
import { ownAddress, type Target, toUrl, withWorld } from '../client/client.ts'
import { type CommandOutput, exitCodes } from '../input-output.ts'
import { describeTrust } from './trust.ts'

const options = {
  listen: text,
  host: { ...text, multiple: true },
  mode: text,
  ca: text,
  url: text,
  world: text,
} as const

export const proxyHelp = [
  '--host HOST[=LIST]   a host that it answers for, with support, events, wallet and billing or those of the list',
  '--listen HOST:PORT   default 127.0.0.1:8888',
  '--mode MODE          emulate: a world of ours answers',
  '--url URL            the server whose world answers, instead of one that is started',
  '--world NAME         that world of it',
  '--ca DIR             where its authority is kept, made on first use; default ~/.vendor-cloud/ca',
] as const

/** Answers clients whose addresses cannot be changed; `proxy ca` tells how they trust it. */
export async function proxy(args: string[], output: CommandOutput): Promise<number> {
  const [first, ...rest] = args
  if (first === 'ca') return showAuthority(rest, output)
  const { values } = parseCommand(args, options)
  oneOf(values.mode ?? 'emulate', ['emulate'])
  const hosts = readHosts(values.host)
  const { hostname, port } = readListen(values.listen)
  // A stranger's server is told before an authority is made.
  const running = values.url === undefined && values.world === undefined ? undefined : await openRunning(values)
  const authority = await openAuthority(values.ca, hosts)
  const world = running ?? (await openOwn())
  const server = createForwardProxy({
    hosts,
    certify: (host) => authority.certify(host, Date.now()),
    answer: world.answer,
  })
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await world.close()
  }
  try {
    server.listen(port, hostname)
    await once(server, 'listening')
  } catch (error) {
    await world.close()
    throw new UsageError(`cannot listen on ${hostname}:${port}: ${(error as Error).message}`)
  }
  closeWithGrace({ delay: 10_000, logger: false }, close)
  const address = server.address() as AddressInfo
  const listens = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`
  const [{ host }] = hosts as [NamedHost]
  output.stdout.write(`vendor-cloud proxy listens on ${listens} for ${hosts.map((each) => each.host).join(', ')}

  Authority     ${authority.file} (vendor-cloud proxy ca tells how clients trust it)
  World         ${world.url}
  Try           curl -x ${listens} --cacert '${authority.file}' -H 'request-source: vendor.com' 'https://${host}/stg/us/guest/zipCode?zipCode=07660'
`)
  return exitCodes.ok
}

async function showAuthority(args: string[], { stdout }: CommandOutput): Promise<number> {
  const { values } = parseCommand(args, { ca: text, host: options.host, listen: text })
  const { hostname, port } = readListen(values.listen)
  const { certificate, file } = await openAuthority(values.ca, readHosts(values.host))
  stdout.write(`${certificate}\n${describeTrust(file, `http://${hostname}:${port}`)}`)
  return exitCodes.ok
}

function readHosts(given: readonly string[] = []): NamedHost[] {
  if (given.length === 0) throw new UsageError('--host HOST is missing: a host that the client asks')
  try {
    return given.map(readNamedHost)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Loopback unless told: whoever reaches it is answered. */
function readListen(given = '127.0.0.1:8888'): { hostname: string; port: number } {
  const [, hostname = '127.0.0.1', port = ''] = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(given) ?? []
  if (port === '' || Number(port) > 65_535) throw new UsageError(`--listen ${given} is not of the form 127.0.0.1:8888`)
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

async function openAuthority(folder: string | undefined, hosts: readonly NamedHost[]): Promise<HostAuthority> {
  const directory = folder ?? join(homedir(), '.vendor-cloud', 'ca')
  const names = hosts.map(({ host }) => host)
  const authority = await keepHostAuthority(directory, names).catch((error: Error) => {
    throw new UsageError(`the authority of ${directory} cannot be used: ${error.message}`)
  })
  const foreign = names.filter((name) => !authority.hosts.some((host) => name === host || name.endsWith(`.${host}`)))
  if (foreign.length === 0) return authority
  throw new UsageError(
    `the authority of ${directory} may certify ${authority.hosts.join(', ')} only, and not ${foreign.join(', ')}: ` +
      'give another folder by --ca, name all hosts, and let clients trust that one',
  )
}

interface AnsweringWorld {
  url: string
  answer(call: ProxiedCall): Promise<void>
  close(): Promise<void>
}

/** In this process, on a free port for those who steer it. */
async function openOwn(): Promise<AnsweringWorld> {
  const server = await startServer(readConfig(undefined, { PORT: '0', HOST: '127.0.0.1' }))
  const dispatcher = new Agent({
    connect({ protocol }, done) {
      const socket = server.connect(protocol === 'https:') as Socket
      // At once it would come before the client waits for it.
      queueMicrotask(() => done(null, socket))
    },
  })
  return {
    url: `${server.url}/_console`,
    answer: ({ url, request, reply }) =>
      relay(
        { origin: `${url.protocol}//${url.host}`, dispatcher, headers: { host: url.host } },
        url.path,
        request,
        reply,
      ),
    async close() {
      await dispatcher.destroy()
      await server.close()
    },
  }
}

async function openRunning(target: Target): Promise<AnsweringWorld> {
  const { url: given, world } = target
  await withWorld(target, (asked) => asked.ready())
  const { origin, pathname } = toUrl(given ?? ownAddress(readConfig()))
  const [, prefixed] = /^\/w\/([a-z0-9-]{1,64})\/*$/.exec(pathname) ?? []
  const name = world ?? prefixed
  const dispatcher = new Agent()
  return {
    url: `${origin}/_console${name === undefined ? '' : ` (${name})`}`,
    answer: ({ url, request, reply }) => {
      const headers = { host: url.host, ...(name !== undefined && { 'x-world': name }) }
      return relay({ origin, dispatcher, headers }, url.path, request, reply)
    },
    close: () => dispatcher.destroy(),
  }
}
