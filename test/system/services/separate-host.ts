import { execFileSync, spawnSync } from 'node:child_process'

/** Simulates another machine with a network namespace. It has one connection to its clients and one to the servers. */
export interface SeparateHost {
  /** Address at which the host reaches the servers. */
  serversAddress: string
  /** The address at which clients reach the host. */
  address: string
  before: readonly string[]
  /** Drops all traffic to the servers in both directions without reporting an error. */
  cutOff(): void
  heal(): void
  remove(): void
}

/** Uses addresses that are reserved for network tests (RFC 2544). Requires root and the Debian package iproute2. */
export function openSeparateHost(): SeparateHost {
  const id = process.pid % 10_000
  const [space, hub, servers, clients] = [`vcn${id}`, `vcb${id}`, `vcs${id}`, `vcc${id}`]
  const [serversAddress, itsAddress] = ['198.18.0.1', '198.18.0.2']
  const [clientsAddress, address] = ['198.18.1.1', '198.18.1.2']
  const remove = () => {
    ip('netns', 'del', space)
    // The interfaces are deleted together with the namespace. However, connections that were cut off keep the namespace
    // alive for some time.
    for (const device of [servers, clients, hub]) spawnSync('ip', ['link', 'del', device])
  }
  ip('netns', 'add', space)
  try {
    // A bridge connects both ends, so that neither end notices when the connection is cut.
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

/** Creates a pair of interfaces: one on this machine and one in the namespace. */
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
