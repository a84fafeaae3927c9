import type { BillingOperation } from '../../contract/documents/billing/operations.ts'
import { operationsOf } from '../http/operations.ts'
import type { Worlds } from '../ports/worlds.ts'
import type { RouteDescription } from '../http/openapi/operation.ts'

export const controlOperations = (tag: string) => operationsOf<undefined>(tag)

/** What the vendor offers: its routes, and SOAP, which has none of its own. */
export interface VendorInterfaces {
  routes: readonly RouteDescription[]
  soap: { path: string; writeCall(operation: BillingOperation, inputs: Readonly<Record<string, string>>): string }
}

export interface ControlContext {
  worlds: Worlds
  version: string
  /** What coverage is measured by; examples are made from the file that the descriptions have. */
  vendor: VendorInterfaces & { examplesFile: string | undefined }
}
