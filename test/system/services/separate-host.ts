import { execFileSync, spawnSync } from 'node:child_process'

/** A machine of its own on this one: a network namespace with a line to its clients and one to the servers. */
export interface SeparateHost {
  /** Where the servers listen for it. */
  serversAddress: string
  /** Its own address on its clients' line. */
  address: string
  /** Runs a command there. */
  before: readonly string[]
  /** Drops all traffic to the servers in both directions without notice. */
  cutOff(): void
  heal(): void
  remove(): void
}

/** Addresses meant for tests of networks (RFC 2544). Needs root and Debian's iproute2. */
export function openSeparateHost(): SeparateHost {
  const id = process.pid % 10_000
  const [space, hub, servers, clients] = [`vcn${id}`, `vcb${id}`, `vcs${id}`, `vcc${id}`]
  const [serversAddress, itsAddress] = ['198.18.0.1', '198.18.0.2']
  const [clientsAddress, address] = ['198.18.1.1', '198.18.1.2']
  const remove = () => {
    ip('netns', 'del', space)
    // The pairs go with the space, but connections that were cut off keep that for a while.
    for (const device of [servers, clients, hub]) spawnSync('ip', ['link', 'del', device])
  }
  ip('netns', 'add', space)
  try {
    // A hub in between: pulling a plug there is noticed by neither end.
    ip('link', 'add', hub, 'type', 'bridge')
    connect(space, servers, itsAddress)
    ip('link', 'set', servers, 'master', hub)
    raise(hub, serversAddress)
    ip('link', 'set', servers, 'up')
    connect(space, clients, address)
    raise(clients, clientsAddress)
    ip('-n', space, 'link', 'set', 'lo', 'up')
  } catch (error) {
    remove()
    throw error
  }
  return {
    serversAddress,
    address,
    before: ['ip', 'netns', 'exec', space],
    cutOff: () => ip('link', 'set', servers, 'nomaster'),
    heal: () => ip('link', 'set', servers, 'master', hub),
    remove,
  }
}

/** A pair of plugs: one here, one there. */
function connect(space: string, here: string, addressThere: string): void {
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', `${here}x`, 'netns', space)
  ip('-n', space, 'addr', 'add', `${addressThere}/24`, 'dev', `${here}x`)
  ip('-n', space, 'link', 'set', `${here}x`, 'up')
}

function raise(device: string, address: string): void {
  ip('addr', 'add', `${address}/24`, 'dev', device)
  ip('link', 'set', device, 'up')
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
