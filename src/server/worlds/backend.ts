import type { Engine, WorldStorage } from '../adapters/engine.ts'
import type { Bus } from '../ports/bus.ts'
import type { Peers } from '../ports/peers.ts'

export interface Backend {
  engine: Engine
  /** The bus of a world; `startedAt` is the instant that its events are numbered from where none were kept. */
  openBus(storage: WorldStorage, startedAt: number): Promise<Bus & { forget?(): Promise<void> }>
  others?: {
    /** Tells them that worlds have changed; resolves when they follow, or have had time enough. */
    notify(): Promise<void>
    subscribe(listener: () => Promise<void>): Promise<void>
  }
  peers?: Peers
  close(): Promise<void>
}
