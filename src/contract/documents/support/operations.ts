import { ctiTokenOperations } from './cti-tokens.ts'
import { feedbackOperations } from './feedback.ts'
import { orderHelpOperations } from './order-help.ts'
import { productColorOperations } from './product-colors.ts'
import { productValidationOperations } from './product-validation.ts'
import { scheduleOperations } from './schedules.ts'
import { symptomImageOperations } from './symptom-images.ts'
import { symptomOperations } from './symptoms.ts'
import { troubleshootingOperations } from './troubleshooting.ts'
import { zipCodeOperations } from './zip-codes.ts'
import { customerOperations } from './dealer/customers.ts'
import { disputeOperations } from './dealer/disputes.ts'
import { productCategoryOperations } from './dealer/product-categories.ts'
import { registeredProductOperations } from './dealer/registered-products.ts'
import { storeOperations } from './dealer/stores.ts'
import { ticketAppointmentOperations } from './dealer/ticket-appointments.ts'
import { ticketOperations } from './dealer/tickets.ts'
import { inStoreCatalogOperations } from './in-store/catalog.ts'
import { inStoreRequestOperations } from './in-store/requests.ts'
import { inStoreSlotOperations } from './in-store/slots.ts'
import { taxonomyOperations } from './in-store/taxonomies.ts'

export const supportOperations = {
  ...ctiTokenOperations,
  ...feedbackOperations,
  ...orderHelpOperations,
  ...productColorOperations,
  ...productValidationOperations,
  ...scheduleOperations,
  ...symptomImageOperations,
  ...symptomOperations,
  ...troubleshootingOperations,
  ...zipCodeOperations,
  ...customerOperations,
  ...disputeOperations,
  ...productCategoryOperations,
  ...registeredProductOperations,
  ...storeOperations,
  ...ticketAppointmentOperations,
  ...ticketOperations,
  ...inStoreCatalogOperations,
  ...inStoreRequestOperations,
  ...inStoreSlotOperations,
  ...taxonomyOperations,
}

type SupportScope = (typeof supportOperations)[keyof typeof supportOperations]['scope']

const scopes = new Map<unknown, SupportScope>(
  Object.values(supportOperations).map((each) => [each.operation, each.scope]),
)

/** Returns undefined for an operation of another document. */
export function scopeOf(operation: number | string | undefined): SupportScope | undefined {
  return scopes.get(operation)
}
