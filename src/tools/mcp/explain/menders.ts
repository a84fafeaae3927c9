import type { Mender } from './mender.ts'
import { mendAddress } from './menders/address.ts'
import { mendBilling } from './menders/billing.ts'
import { mendOpenRequest, mendSlot } from './menders/bookings.ts'
import { mendFilterIds, mendSubscription, mendToken } from './menders/events.ts'
import { mendFindings, mendNames } from './menders/findings.ts'
import { mendIdentifiers } from './menders/identifiers.ts'
import { mendCompany, mendIdentity, mendOrigin } from './menders/origin.ts'
import { mendBody, mendRate } from './menders/rest.ts'
import { mendWallet } from './menders/wallet.ts'

/** The order is that of a request's checks; the first mender that knows a change is used. */
export const menders: readonly Mender[] = [
  mendRate,
  mendAddress,
  mendBilling,
  mendWallet,
  mendOrigin,
  mendCompany,
  mendIdentity,
  mendToken,
  mendFilterIds,
  mendSubscription,
  mendBody,
  mendNames,
  mendSlot,
  mendOpenRequest,
  mendFindings,
  mendIdentifiers,
]
