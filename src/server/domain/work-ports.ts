import type { Ports } from '../ports.ts'

/** In a recorded world, new work uses the recording's clock and random values until the recording ends. */
export function portsOfWork(ports: Ports): Ports {
  const { recorder } = ports.state
  return recorder ? { ...ports, ...recorder.sources } : ports
}
