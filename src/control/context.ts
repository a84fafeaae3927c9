import type { ZodApp } from '../http/zod.ts'
import type { Worlds } from '../ports.ts'

export type ControlApp = ZodApp

export interface ControlContext {
  worlds: Worlds
  /** Of the program. */
  version: string
  /** Bytes of the largest snapshot that is taken; 256 MiB unless told. */
  snapshotLimit?: number | undefined
}
