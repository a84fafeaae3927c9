import type { Ports } from '../ports.ts'

/** In a recorded world, new work uses the recorded clock and randomness until the recording ends. */
export function portsOfWork(ports: Ports): Ports {
  const { recorder } = ports.state
  return recorder ? { ...ports, ...recorder.sources } : ports
}
