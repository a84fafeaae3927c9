import { operationsOf } from '../http/operations.ts'
import type { Worlds } from '../ports.ts'
import type { VendorInterfaces } from './coverage-items.ts'

export const controlOperations = (tag: string) => operationsOf<undefined>(tag)

export interface ControlContext {
  worlds: Worlds
  version: string
  /** What coverage is measured by; examples are made from the file that the descriptions have. */
  vendor: Omit<VendorInterfaces, 'examples'> & { examplesFile: string | undefined }
}
