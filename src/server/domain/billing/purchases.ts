import type { Ports } from '#server/ports.ts'
import type {
  CancelReason,
  Payment,
  PaymentPage,
  Purchase,
  PurchaseOrder,
  PurchaseState,
} from '#contract/records/billing/purchase.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { View } from '#server/ports/store.ts'
import { isTiered, orderOf, paymentDate, priceOf, toBillingState } from './billing-periods.ts'
import { DomainError, notFound } from '../errors.ts'
import { newId, toHex } from '../ids.ts'
import { toOrderId } from './subscription-statuses.ts'

export async function createPurchase(ports: Ports, { purchaseID, ...order }: PurchaseOrder): Promise<Purchase> {
  const purchased: Purchase = {
    ...order,
    purchaseID: purchaseID ?? (await newId(ports.random, 'purchase', 'P')),
    purchasedAt: new Date(ports.clock.now()).toISOString(),
    orderSeed: toHex(await ports.random.bytes('orderSeed', 16)),
  }
  await ports.store.transaction(async (tx) => {
    if (!(await tx.sellers.get(order.sellerSecret)))
      throw notFound('no seller has this secret', 'our choice: control-refusals', 'GET /_control/status lists sellers')
    if (await tx.purchases.get(purchased.purchaseID)) {
      throw new DomainError('conflict', `purchaseID ${purchased.purchaseID} is already in use`, {
        source: 'our choice: control-refusals',
      })
    }
    if (order.continues !== undefined) {
      const continued = await tx.purchases.get(order.continues)
      if (continued?.sellerSecret !== order.sellerSecret) {
        throw await noSuchPurchase(tx, order.continues, { sellerSecret: order.sellerSecret })
      }
    }
    await tx.purchases.put(purchased)
  })
  return purchased
}

/** Cancels a purchase. Document 3, section 3: the subscription remains valid until the end of the paid period. */
export async function cancelPurchase(ports: Ports, purchaseID: string, reason: CancelReason): Promise<Purchase> {
  const now = ports.clock.now()
  return ports.store.transaction(async (tx) => {
    const purchase = await tx.purchases.get(purchaseID)
    if (!purchase) throw await noSuchPurchase(tx, purchaseID)
    if (purchase.cancellation || toBillingState(purchase, now).cancellation) {
      throw new DomainError('conflict', `purchase ${purchaseID} is already cancelled`, {
        source: 'our choice: subscription-state',
      })
    }
    // If the clock was set back to a time before the purchase, the cancellation gets the timestamp of the purchase.
    const at = new Date(Math.max(now, Date.parse(purchase.purchasedAt))).toISOString()
    const cancelled = { ...purchase, cancellation: { at, reason } }
    await tx.purchases.put(cancelled)
    return cancelled
  })
}

export async function listPurchases({ store, clock }: Ports, page: { offset: number; limit: number }) {
  const [found, totalCount] = await Promise.all([store.purchases.find(page), store.purchases.count()])
  const now = clock.now()
  // The stored cancellation may be in the future. The state contains it only if it has taken effect.
  const items = found.map((purchase) => ({
    ...purchase,
    cancellation: undefined,
    ...purchaseStateOf(purchase, now),
    payments: toBillingState(purchase, now).payments,
  }))
  return { items, totalCount }
}

export async function listPayments(
  ports: Ports,
  purchaseID: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<PaymentPage> {
  const purchase = await ports.store.purchases.get(purchaseID)
  if (!purchase) throw await noSuchPurchase(ports.store, purchaseID)
  const now = ports.clock.now()
  const { payments } = toBillingState(purchase, now)
  const count = Math.max(0, Math.min(limit, payments - offset))
  return {
    ...purchaseStateOf(purchase, now),
    items: Array.from({ length: count }, (_, i) => toPayment(ports, purchase, offset + i + 1)),
    totalCount: payments,
  }
}

function purchaseStateOf(purchase: Purchase, now: number): PurchaseState {
  const { payments, cancellation, endsAt } = toBillingState(purchase, now)
  const paidUntil = new Date(endsAt).toISOString()
  return {
    paidUntil,
    ...(!cancellation && hasPaymentAt(purchase, payments + 1) && { nextPaymentAt: paidUntil }),
    ...(cancellation && { cancellation: { ...cancellation, at: new Date(cancellation.at).toISOString() } }),
  }
}

function toPayment({ digests }: Ports, purchase: Purchase, number: number): Payment {
  return {
    number,
    at: new Date(paymentDate(purchase, number)).toISOString(),
    orderId: toOrderId(digests, purchase, orderOf(purchase, number)),
    plan: isTiered(purchase, number) ? 'T' : 'R',
    price: priceOf(purchase, number),
  }
}

/** Returns whether the payment exists. A test purchase has no payments after its last renewal. */
function hasPaymentAt(purchase: Purchase, number: number): boolean {
  return toBillingState(purchase, paymentDate(purchase, number)).payments === number
}

async function noSuchPurchase(
  { purchases }: View,
  purchaseID: string,
  where: { sellerSecret?: string } = {},
): Promise<DomainError> {
  const known = (await purchases.find({ where, limit: 1000 })).map((each) => each.purchaseID)
  const nearest = suggestNearest(purchaseID, known)
  return notFound(`purchase ${purchaseID} does not exist${nearest}`, 'our choice: control-refusals')
}
