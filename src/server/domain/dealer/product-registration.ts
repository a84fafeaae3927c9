import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type {
  DealerProduct,
  DealerProductDraft,
  ProductModel,
  RegisteredProduct,
} from '#contract/records/dealer/product.ts'
import { type DeviceIds, findDevice, findMisplacedImeis } from '../device-ids.ts'
import { DomainError, type Finding, finding, invalidInput, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { newId } from '../ids.ts'
import { utcDate } from '#contract/records/local-times.ts'
import { requireCustomer } from './customers.ts'
import { conditionsOf, toDealerProduct } from './registered-products.ts'
import { isFutureDate, warrantyEndDate } from './warranty.ts'

/**
 * Operation 14. Our choice: the same device for the same service type is one registration, so a client that repeats
 * itself after a lost answer renews it and makes no second one.
 */
export async function registerProduct(
  ports: Ports,
  dealer: Dealer,
  customerId: string,
  { bpNo: named, ...draft }: DealerProductDraft,
): Promise<DealerProduct> {
  const now = ports.clock.now()
  assertPurchaseDate(draft.purchaseDate, now)
  const newProductId = await newId(ports.random, 'registeredProduct', 'P')
  return ports.store.transaction(async (tx) => {
    await requireCustomer(tx, dealer, customerId, named)
    const model = await tx.productModels.get(draft.modelCode)
    if (!model) throw notFound('there is no such product model', 'our choice: product-registration')
    await assertDevice(tx, model, customerId, draft)
    const where = conditionsOf(customerId, draft)
    const [same] = await tx.registeredProducts.find({ where, limit: 1 })
    const productId = same?.productId ?? newProductId
    const owner = { bpNo: customerId, companyId: dealer.companyId }
    const registration = registrationOf(model, draft.purchaseDate, now)
    const product: RegisteredProduct = { ...draft, ...owner, productId, ...registration }
    await tx.registeredProducts.put(product)
    return toDealerProduct(product, now)
  })
}

/** Our choice: what operation 23 calls invalid is not registered, nor what another customer has. */
async function assertDevice(
  view: View,
  { modelCode, subType }: ProductModel,
  bpNo: string,
  ids: DeviceIds,
): Promise<void> {
  const findings: Finding[] = findMisplacedImeis(subType, ids)
  let isForeign = false
  for (const field of ['serialNumber', 'imei'] as const) {
    const id = ids[field]
    if (id === undefined) continue
    const device = await findDevice(view, id)
    if ((device.modelCode ?? modelCode) !== modelCode) {
      findings.push(
        finding(`body.${field}`, `is that of a device of another model than ${modelCode}`, {
          source: 'our choice: product-registration',
        }),
      )
    }
    isForeign ||= device.registrations.some((each) => each.bpNo !== undefined && each.bpNo !== bpNo)
  }
  if (findings.length > 0) throw invalidInput(findings)
  if (!isForeign) return
  throw new DomainError('conflict', 'this device is registered to another customer', {
    source: 'our choice: product-registration',
  })
}

/** Our choice: a purchase date is not in the future. */
export function assertPurchaseDate(purchaseDate: string | undefined, now: number): void {
  if (purchaseDate === undefined || !isFutureDate(purchaseDate, now)) return
  throw invalidInput([
    finding('body.purchaseDate', 'must not be in the future', { source: 'our choice: purchase-date' }),
  ])
}

/** The server sets these fields from the model; without a purchase date the day of registration counts. */
function registrationOf(
  { subType, category, warrantyMonths }: ProductModel,
  purchaseDate: string | undefined,
  now: number,
) {
  return {
    subType,
    category,
    warrantyEndDate: warrantyEndDate(purchaseDate ?? utcDate(now), warrantyMonths),
    registeredAt: new Date(now).toISOString(),
  }
}
