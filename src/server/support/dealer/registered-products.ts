import { registeredProductOperations } from '#contract/documents/support/dealer/registered-products.ts'
import { registerProduct } from '#server/domain/dealer/product-registration.ts'
import { findDealerProduct, listDealerProducts } from '#server/domain/dealer/registered-products.ts'
import { alsoNamed } from './own-company.ts'
import { implement } from '../operation.ts'

export const registeredProducts = implement(registeredProductOperations, {
  11: async ({ ports, caller, params, query }) => findDealerProduct(ports, caller, params.customerId, query),
  12: async ({ ports, caller, params, query }) => listDealerProducts(ports, caller, params.customerId, query),
  14: async ({ ports, caller, params, query, body }) =>
    registerProduct(ports, caller, params.id, { ...body, bpNo: alsoNamed(params.id, query, body) }),
})
