import type { Ports } from '../ports.ts'

/**
 * The ports of work that begins now: in a world that is recorded with the recording's clock and chance, which stay the
 * work's own to its end.
 */
export function portsOfWork(ports: Ports): Ports {
  const { recorder } = ports
  return recorder ? Object.assign(Object.create(ports) as Ports, recorder.sources) : ports
}
