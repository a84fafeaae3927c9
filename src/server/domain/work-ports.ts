import type { Ports } from '../ports.ts'

/** In a recorded world work that begins now gets the recording's clock and chance, and keeps them to its end. */
export function portsOfWork(ports: Ports): Ports {
  const { recorder } = ports.state
  return recorder ? { ...ports, ...recorder.sources } : ports
}
