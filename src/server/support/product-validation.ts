import { productValidationOperations } from '#contract/documents/support/product-validation.ts'
import { lookUpDevice, validateProduct } from '../domain/guest/product-validation.ts'
import { implement } from './operation.ts'

export const productValidation = implement(productValidationOperations, {
  23: async ({ ports, query }) => validateProduct(ports, query),
  24: async ({ ports, params, query }) => lookUpDevice(ports, params.deviceId, query.email),
})
