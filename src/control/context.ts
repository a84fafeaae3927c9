import { operationsOf } from '../http/operations.ts'
import type { Worlds } from '../ports.ts'
import type { VendorInterfaces } from './coverage-items.ts'

/** Whoever steers the server is let in as nobody in particular. */
export const controlOperation = operationsOf<undefined>()

export interface ControlContext {
  worlds: Worlds
  /** Of the program. */
  version: string
  /** Bytes of the largest snapshot that is taken; 256 MiB unless told. */
  snapshotLimit?: number | undefined
  /** Bytes of the largest case, about; 32 MB unless told. */
  recordingLimit?: number | undefined
  /** What coverage is measured by; examples are made from the file that the descriptions have. */
  vendor: Omit<VendorInterfaces, 'examples'> & { examplesFile: string | undefined }
}
