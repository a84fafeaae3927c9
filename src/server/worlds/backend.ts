import type { Engine } from '../adapters/engine.ts'

export interface Backend {
  engine: Engine
  /** Other instances that share the engine. */
  others?: {
    /** Resolves when the other instances follow the changes of this one, or have had time enough. */
    settled(): Promise<void>
    /** The listener runs after changes of other instances, until it resolves. */
    subscribe(listener: () => Promise<void>): Promise<void>
  }
  close(): Promise<void>
}
