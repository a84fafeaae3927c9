import { DEFAULT_WORLD } from '../../contract/records/control/world.ts'
import { readConfig } from '../../server/config.ts'
import { startServer } from '../../server/server.ts'
import { ControlError } from '../../tools/control-client/errors.ts'
import { createWorldClient, type WorldClient } from '../../tools/control-client/world-client.ts'
import { openWorld, type Target, withWorld } from '../client/client.ts'

/** The server whose worlds the tools act on. */
interface McpTarget {
  open(world: string): WorldClient
  /** Ends it where it was started here. */
  close(): Promise<void>
}

/** The server that was named, or runs on this machine, or one of this process. */
export async function openTarget({ url, key, world }: Target, readOnly: boolean): Promise<McpTarget> {
  const remote = (name: string) => openWorld({ url, key, ...(name !== DEFAULT_WORLD && { world: name }) })
  // A name that cannot be one, and a server that is none, are told before the protocol begins.
  remote(world ?? DEFAULT_WORLD)
  if (url !== undefined) await withWorld({ url, key }, (each) => each.ready())
  const isThere = url !== undefined || (await answers(remote(DEFAULT_WORLD)))
  const target = isThere ? { open: remote, close: async () => {} } : await start()
  if (world !== undefined && !readOnly) await makeWorld(target, world)
  return target
}

/** Whether a vendor-cloud is there; another program on its port is none. */
async function answers(world: WorldClient): Promise<boolean> {
  try {
    await world.ready()
    return true
  } catch (error) {
    return error instanceof ControlError && error.status > 0
  }
}

/**
 * On a free port, whatever PORT says: the one that was set stays free for a server that its owner starts, and the tools
 * of a second agent never find this one there, whose worlds end with it.
 */
async function start(): Promise<McpTarget> {
  const server = await startServer(readConfig(undefined, { PORT: '0' }))
  const { url, controlKey: key } = server
  return {
    open: (name) => createWorldClient(url, { key, ...(name !== DEFAULT_WORLD && { world: name }) }),
    close: () => server.close(),
  }
}

/** A server that cannot be asked now is told by the tools, whenever they are called. */
async function makeWorld({ open }: McpTarget, name: string): Promise<void> {
  try {
    await open(DEFAULT_WORLD).call('createWorld', { body: { name } })
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
  }
}
