import { serverChoices, errorsChoices, bodiesAndParametersChoices } from './server.ts'
import { identityChoices, recordsChoices } from './identity.ts'
import { dealerPortalChoices } from './dealer.ts'
import { ticketsChoices, bookingsChoices } from './tickets.ts'
import { inStoreRequestsChoices, cancelLinkChoices, imagesChoices, productsChoices } from './in-store.ts'
import { symptomsAndGuidesChoices, zipCodesChoices } from './guides.ts'
import { subscriptionsChoices, streamChoices } from './events.ts'
import { walletChoices, cardsChoices } from './wallet.ts'
import { billingChoices } from './billing.ts'
import { controlChoices, keptStateChoices } from './control.ts'

/** Ids never change; the order is that of openapi/README.md. */
export const choices = {
  ...serverChoices,
  ...errorsChoices,
  ...bodiesAndParametersChoices,
  ...identityChoices,
  ...recordsChoices,
  ...dealerPortalChoices,
  ...ticketsChoices,
  ...bookingsChoices,
  ...inStoreRequestsChoices,
  ...cancelLinkChoices,
  ...imagesChoices,
  ...productsChoices,
  ...symptomsAndGuidesChoices,
  ...zipCodesChoices,
  ...subscriptionsChoices,
  ...streamChoices,
  ...walletChoices,
  ...cardsChoices,
  ...billingChoices,
  ...controlChoices,
  ...keptStateChoices,
} as const
export type ChoiceId = keyof typeof choices
