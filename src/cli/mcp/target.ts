import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { readConfig } from '#server/config.ts'
import { startServer } from '#server/server.ts'
import { ControlError } from '#tools/client/errors.ts'
import { createWorldClient, type WorldClient } from '#tools/client/world-client.ts'
import { openWorld, type Target, withWorld } from '../client/client.ts'

interface McpTarget {
  open(world: string): WorldClient
  /** Only a server that was started here ends. */
  close(): Promise<void>
}

/** A named server comes first, then one that runs on this machine, then one of this process. */
export async function openTarget({ url, key, world }: Target, readOnly: boolean): Promise<McpTarget> {
  const remote = (name: string) => openWorld({ url, key, ...(name !== DEFAULT_WORLD && { world: name }) })
  // A name that cannot be one, or a wrong server, is told before the protocol begins.
  remote(world ?? DEFAULT_WORLD)
  if (url !== undefined) await withWorld({ url, key }, (each) => each.ready())
  const isThere = url !== undefined || (await answers(remote(DEFAULT_WORLD)))
  const target = isThere ? { open: remote, close: async () => {} } : await start()
  if (world !== undefined && !readOnly) await makeWorld(target, world)
  return target
}

/** Another program may listen on the port. */
async function answers(world: WorldClient): Promise<boolean> {
  try {
    await world.ready()
    return true
  } catch (error) {
    return error instanceof ControlError && error.status > 0
  }
}

/**
 * A free port is used: the configured one stays free for its owner's server, and a second agent never finds this one,
 * whose worlds end with it.
 */
async function start(): Promise<McpTarget> {
  const server = await startServer(readConfig(undefined, { PORT: '0' }))
  const { url, controlKey: key } = server
  return {
    open: (name) => createWorldClient(url, { key, ...(name !== DEFAULT_WORLD && { world: name }) }),
    close: () => server.close(),
  }
}

/** A server that cannot be asked now is told by the tools at each call. */
async function makeWorld({ open }: McpTarget, name: string): Promise<void> {
  try {
    await open(DEFAULT_WORLD).call('createWorld', { body: { name } })
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
  }
}
