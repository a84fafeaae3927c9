import type { Ports } from '#server/ports.ts'
import type { Digests } from '#server/ports/chance.ts'
import type { Purchase } from '#contract/records/billing/purchase.ts'
import type { SubscriptionStatus } from '#contract/records/billing/subscription-status.ts'
import { type BillingState, toBillingState } from './billing-periods.ts'
import { DomainError } from '../errors.ts'
import { requireTokenHolder } from './service-tokens.ts'

/** Length of an order ID: document 3, section 8. */
const ORDER_ID_LENGTH = 19

/** Document 3, operation getSubscriptionStatus. The token must be validated before the purchase ID. */
export async function getSubscriptionStatus(
  ports: Ports,
  input: { purchaseID: string; serviceToken: string },
): Promise<SubscriptionStatus> {
  const now = ports.clock.now()
  const secret = await requireTokenHolder(ports, input.serviceToken, now)
  const found = input.purchaseID.length <= 64 ? await ports.store.purchases.get(input.purchaseID) : undefined
  // The error for another seller's purchase is the same as for an unknown purchase.
  if (found?.sellerSecret !== secret) {
    // JSON shows spaces around the ID.
    const message = found
      ? 'purchaseID belongs to another seller'
      : `no purchase has the purchaseID ${JSON.stringify(input.purchaseID.slice(0, 64))}`
    throw new DomainError('invalid-parameter', message, {
      source: 'document 3, section 7',
      hint: 'GET /_control/purchases lists purchases',
    })
  }
  const first = await findFirst(ports, found)
  const known = ports.state.statuses.get(found)
  if (known?.first === first && known.from <= now && now < known.until) return known.status
  const billingState = toBillingState(found, now)
  const status = toSubscriptionStatus(ports.digests, found, first, billingState)
  // A record object never changes, so its status stays the same until the next of these timestamps.
  const changes = [billingState.endsAt, Date.parse(found.cancellation?.at ?? '')].filter((at) => at > now)
  ports.state.statuses.set(found, { first, from: now, until: Math.min(...changes), status })
  return status
}

async function findFirst({ store }: Ports, purchase: Purchase): Promise<Purchase> {
  let first = purchase
  // Purchases that were created with the control API may refer to each other in a cycle.
  const seen = new Set<string>()
  while (first.continues !== undefined && !seen.has(first.purchaseID)) {
    seen.add(first.purchaseID)
    const earlier = await store.purchases.get(first.continues)
    if (!earlier) return first
    first = earlier
  }
  return first
}

function toSubscriptionStatus(
  digests: Digests,
  purchase: Purchase,
  first: Purchase,
  billingState: BillingState,
): SubscriptionStatus {
  const { cancellation } = billingState
  const paid = billingState.price * (1 + (purchase.taxRate ?? 0))
  return {
    subscriptionPurchaseDate: toGmt(Date.parse(purchase.purchasedAt)),
    subscriptionEndDate: toGmt(billingState.endsAt),
    subscriptionType: 'Item_Type_Auto_Recurring_Subscription',
    subscriptionStatus: cancellation ? 'CANCEL' : 'ACTIVE',
    subscriptionFirstPurchaseID: first.purchaseID,
    countryCode: purchase.country,
    localCurrencyCode: purchase.currency,
    localPrice: paid,
    supplyPrice: billingState.payments === 0 ? paid : (purchase.supplyPrice ?? paid),
    itemID: purchase.itemID,
    freeTrial: billingState.plan === 'F' ? 'Y' : 'N',
    realMode: purchase.realMode,
    latestOrderId: toOrderId(digests, purchase, billingState.period),
    ...(cancellation && {
      cancelSubscriptionDate: toGmt(cancellation.at),
      cancelSubscriptionReason: cancellation.reason,
    }),
    totalNumberOfTieredPayment: String(billingState.tieredPayments),
    currentPaymentPlan: billingState.plan,
    totalNumberOfRenewalPayment: String(billingState.payments),
    subscriptionFirstPaymentDate: toGmt(Date.parse(first.purchasedAt)),
  }
}

/** The order ID is derived from the order number, so no job has to run when a payment becomes due. */
export function toOrderId(digests: Digests, purchase: Purchase, order: number): string {
  const digest = digests.sha256(`${purchase.orderSeed} ${purchase.purchaseID} ${order}`)
  return BigInt(`0x${digest}`).toString(36).toUpperCase().slice(-ORDER_ID_LENGTH)
}

function toGmt(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}
