import type { Socket } from 'node:net'
import { Agent } from 'undici'
import { readConfig } from '#server/config.ts'
import { startServer } from '#server/server.ts'
import type { ProxiedCall } from '#tools/proxy/forward-proxy.ts'
import { createOwnLinks } from '#tools/proxy/own-links.ts'
import { type Destination, relay } from '#tools/proxy/relay.ts'
import { UsageError } from '../input-output.ts'
import { ControlError } from '#tools/client/errors.ts'
import { ownAddress, type Target, toOrigin, toUrl, withWorld } from '../client/client.ts'

export interface Answering {
  about: Readonly<Record<string, string>>
  /** Called once the proxy is listening and before the first request arrives. */
  begin?(): void
  answer(call: ProxiedCall): Promise<void>
  close(): Promise<void>
}

export interface AnsweringWorld extends Answering {
  /** Makes the world handle a request as one to the host that the client specified. */
  destination(url: ProxiedCall['url']): Destination
  /** Path prefix that links in responses have before they are rewritten. */
  prefix: string
}

export async function openWorld(target: Target): Promise<AnsweringWorld> {
  const { destination, close, name, prefix } = isRunningServer(target) ? await openRunning(target) : await openOwn()
  return {
    about: { World: name },
    destination,
    prefix,
    answer: async (call) => relay(destination(call.url), call),
    close,
  }
}

export function isRunningServer({ url, world }: Target): boolean {
  return url !== undefined || world !== undefined
}

/** The server also listens on a free port, so that users can control the world. */
async function openOwn() {
  const server = await startServer(readConfig(undefined, { PORT: '0', HOST: '127.0.0.1' }))
  const dispatcher = new Agent({
    connect({ protocol }, done) {
      const socket = server.connect(protocol === 'https:') as Socket
      // The callback must not be called before this function returns.
      queueMicrotask(() => done(null, socket))
    },
  })
  return {
    name: `${server.url}/_console`,
    prefix: '',
    destination: ({ protocol, host }: ProxiedCall['url']): Destination => ({
      origin: `${protocol}//${host}`,
      dispatcher,
      headers: { host },
    }),
    async close() {
      await dispatcher.destroy()
      await server.close()
    },
  }
}

async function openRunning(target: Target) {
  const { url: given, world } = target
  await withWorld(target, (asked) => asked.ready()).catch((error: Error) => {
    throw error instanceof ControlError && error.code !== 'NotVendorCloud' ? new UsageError(error.message) : error
  })
  const url = toUrl(given ?? ownAddress(readConfig()))
  const { origin, protocol } = url
  const name = world ?? toOrigin(url)[1]
  const prefix = name === undefined ? '' : `/w/${name}`
  const dispatcher = new Agent()
  return {
    name: `${origin}/_console${name === undefined ? '' : ` (${name})`}`,
    destination: ({ protocol: meant, host }: ProxiedCall['url']): Destination => ({
      origin,
      dispatcher,
      headers: { host, ...(name !== undefined && { 'x-world': name }) },
      links: createOwnLinks(new URL(`${protocol}//${host}${prefix}`), `${meant}//${host}`),
    }),
    prefix,
    close: () => dispatcher.destroy(),
  }
}
