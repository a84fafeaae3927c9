import { operationsOf } from '../http/operations.ts'
import type { Worlds } from '../ports.ts'
import type { VendorInterfaces } from './coverage-items.ts'

export const controlOperations = (tag: string) => operationsOf<undefined>(tag)

export interface ControlContext {
  worlds: Worlds
  version: string
  /** Bytes of the largest snapshot that is taken; 256 MiB unless told. */
  snapshotLimit?: number | undefined
  /** Bytes of the largest case, about; 32 MB unless told. */
  recordingLimit?: number | undefined
  /** What coverage is measured by; examples are made from the file that the descriptions have. */
  vendor: Omit<VendorInterfaces, 'examples'> & { examplesFile: string | undefined }
}
