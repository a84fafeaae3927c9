import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { DealerProduct, RegisteredProduct } from '#contract/records/dealer/product.ts'
import { requireCustomer } from './customers.ts'
import { type DomainError, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { type Filters, MAX_PAGE, type OffsetPage, toOffsetPage } from '../paging.ts'
import { inWarranty } from './warranty.ts'

export type ProductSearch = Filters<'bpNo' | 'serviceType' | 'modelCode' | 'serialNumber'>

const lastRegisteredFirst = { field: 'registeredAt', direction: 'desc' } as const

/** Operation 11: of several products that match, the one registered last (our choice). */
export async function findDealerProduct(
  ports: Ports,
  dealer: Dealer,
  customerId: string,
  search: ProductSearch,
): Promise<DealerProduct> {
  await requireCustomer(ports.store, dealer, customerId, search.bpNo)
  const where = conditionsOf(customerId, search)
  const [product] = await ports.store.registeredProducts.find({ where, orderBy: lastRegisteredFirst, limit: 1 })
  if (!product) throw noSuchProduct()
  return toDealerProduct(product, ports.clock.now())
}

/** Operation 12, which has no paging parameters: the first 100, the one registered last first. */
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
  modelCode: string,
  serialNumber: string,
): Promise<RegisteredProduct> {
  const where = conditionsOf(bpNo, { modelCode, serialNumber })
  const [product] = await registeredProducts.find({ where, orderBy: lastRegisteredFirst, limit: 1 })
  if (!product) throw noSuchProduct()
  return product
}

/** Codes and serial numbers are kept in capitals; text that cannot be one matches nothing. */
export function conditionsOf(bpNo: string, { serviceType, modelCode, serialNumber }: ProductSearch) {
  return {
    bpNo,
    serviceType: serviceType?.toUpperCase(),
    modelCode: modelCode?.toUpperCase(),
    serialNumber: serialNumber?.toUpperCase(),
  }
}

export function toDealerProduct(product: RegisteredProduct, now: number): DealerProduct {
  const { bpNo, companyId, serialNumber, userId: _, ...rest } = product
  return {
    ...rest,
    bpNo: bpNo!,
    companyId: companyId!,
    serialNumber: serialNumber!,
    inWarranty: inWarranty(product.warrantyEndDate, now),
  }
}

function noSuchProduct(): DomainError {
  return notFound('this customer has no such product', 'our choice: product-search')
}
