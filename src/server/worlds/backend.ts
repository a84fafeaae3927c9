import type { Engine, WorldStorage } from '../adapters/engine.ts'
import type { Bus } from '../ports/bus.ts'
import type { Peers } from '../ports/peers.ts'

export interface Backend {
  engine: Engine
  /** Events are numbered from `startedAt` where none were kept. */
  openBus(storage: WorldStorage, startedAt: number): Promise<Bus & { forget?(): Promise<void> }>
  others?: {
    /** Resolves when the other instances follow, or have had time enough. */
    notify(): Promise<void>
    subscribe(listener: () => Promise<void>): Promise<void>
  }
  peers?: Peers
  close(): Promise<void>
}
