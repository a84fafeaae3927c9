import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type {
  DealerProduct,
  DealerProductDraft,
  ProductModel,
  RegisteredProduct,
} from '#contract/records/dealer/product.ts'
import { requireCustomer } from './customers.ts'
import { finding, invalidInput, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { type Filters, MAX_PAGE, type OffsetPage, toOffsetPage } from '../paging.ts'
import { inWarranty, isFutureDate, warrantyEndDate } from './warranty.ts'
import { assertNoOtherOwner, findDeviceErrors } from '../device-ids.ts'
import { newId } from '../ids.ts'
import { utcDate } from '#contract/records/local-times.ts'

export type ProductSearch = Filters<'bpNo' | 'serviceType' | 'modelCode' | 'serialNumber'>

const lastRegisteredFirst = { field: 'registeredAt', direction: 'desc' } as const

/** Operation 11: returns the most recently registered product that matches. */
export async function findDealerProduct(
  ports: Ports,
  dealer: Dealer,
  customerId: string,
  search: ProductSearch,
): Promise<DealerProduct> {
  await requireCustomer(ports.store, dealer, customerId, search.bpNo)
  return toDealerProduct(await requireRegisteredProduct(ports.store, customerId, search), ports.clock.now())
}

/** Operation 12 has no paging parameters. It returns the 100 most recently registered products. */
export async function listDealerProducts(
  ports: Ports,
  dealer: Dealer,
  customerId: string,
  search: ProductSearch,
): Promise<OffsetPage<DealerProduct>> {
  await requireCustomer(ports.store, dealer, customerId, search.bpNo)
  const { registeredProducts } = ports.store
  const where = conditionsOf(customerId, search)
  const products = await registeredProducts.find({ where, orderBy: lastRegisteredFirst, limit: MAX_PAGE })
  const now = ports.clock.now()
  const items = products.map((product) => toDealerProduct(product, now))
  return toOffsetPage(items, await registeredProducts.count(where), 0, MAX_PAGE)
}

export async function requireRegisteredProduct(
  { registeredProducts }: View,
  bpNo: string,
  search: ProductSearch,
): Promise<RegisteredProduct> {
  const where = conditionsOf(bpNo, search)
  const [product] = await registeredProducts.find({ where, orderBy: lastRegisteredFirst, limit: 1 })
  if (!product) throw notFound('this customer has no such product', 'our choice: product-search')
  return product
}

/** Codes and serial numbers are stored in upper case. A malformed value matches nothing. */
export function conditionsOf(bpNo: string, { serviceType, modelCode, serialNumber }: ProductSearch) {
  return {
    bpNo,
    serviceType: serviceType?.toUpperCase(),
    modelCode: modelCode?.toUpperCase(),
    serialNumber: serialNumber?.toUpperCase(),
  }
}

function toDealerProduct(product: RegisteredProduct, now: number): DealerProduct {
  const { bpNo, companyId, serialNumber, userId: _, ...rest } = product
  return {
    ...rest,
    bpNo: bpNo!,
    companyId: companyId!,
    serialNumber: serialNumber!,
    inWarranty: inWarranty(product.warrantyEndDate, now),
  }
}

/** Operation 14. Updates an existing registration, so that clients can retry after a lost response. */
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
    if (!model) throw notFound('this product model does not exist', 'our choice: product-registration')
    const isModel = (modelCode: string) => modelCode === model.modelCode
    const findings = await findDeviceErrors(tx, draft, model.subType, isModel, ruled)
    if (findings.length > 0) throw invalidInput(findings)
    await assertNoOtherOwner(tx, draft, customerId, ruled)
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

const ruled = { source: 'our choice: product-registration' } as const

const EARLIEST_PURCHASE = '1970-01-01'

export function assertPurchaseDate(purchaseDate: string | undefined, now: number): void {
  if (purchaseDate === undefined) return
  const isFuture = isFutureDate(purchaseDate, now)
  if (purchaseDate >= EARLIEST_PURCHASE && !isFuture) return
  const rule = isFuture ? 'must not be in the future' : `must not be before ${EARLIEST_PURCHASE}`
  throw invalidInput([finding('body.purchaseDate', rule, { source: 'our choice: purchase-date' })])
}

/** Without a purchase date, the warranty starts on the registration date. */
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
