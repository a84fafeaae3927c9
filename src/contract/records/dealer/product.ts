import * as z from 'zod'
import { imei, serialNumber } from '../device-id.ts'
import { bpNo, instant, isoDate, modelCode, text } from '../formats.ts'
import { offsetPage } from '../item-wrapper.ts'

export const productModel = z.object({
  modelCode,
  modelName: z.string(),
  subType: z.string().meta({ example: 'TV' }),
  category: z.string(),
  bespoke: z.boolean(),
  warrantyMonths: z.int().min(0),
  colors: z.array(z.object({ colorCode: z.string(), name: z.string() })).max(100),
})
export type ProductModel = z.infer<typeof productModel>

/** A manufactured device. The record of a registered product, and not this record, contains the owner. */
export const productUnit = z.object({
  prdId: z.string(),
  modelCode,
  soldAt: isoDate.optional(),
})

/** A product that is registered for a customer of a dealer (`bpNo`) or for a user (`userId`). */
export const registeredProduct = z.object({
  productId: z.string(),
  userId: z.string().optional(),
  bpNo: bpNo.optional(),
  companyId: z.string().optional(),
  modelCode,
  serialNumber: z.string().optional(),
  imei: z.string().optional(),
  purchaseDate: isoDate.optional(),
  purchasePlace: z.string().optional(),
  serviceType: z.enum(['IH', 'SR']).describe('IH: in-home, SR: stock repair'),
  subType: z.string(),
  category: z.string(),
  warrantyEndDate: isoDate,
  registeredAt: instant,
})
export type RegisteredProduct = z.infer<typeof registeredProduct>

/** A registered product as the server returns it: document 1, DealerProduct. */
export const dealerProduct = z.object({
  productId: z.string(),
  bpNo,
  companyId: z.string(),
  modelCode,
  serialNumber: z.string(),
  imei: z.string().optional(),
  purchaseDate: isoDate.optional(),
  purchasePlace: z.string().optional(),
  serviceType: z.enum(['IH', 'SR']).describe('IH: in-home, SR: stock repair'),
  subType: z.string(),
  category: z.string(),
  inWarranty: z.boolean(),
  warrantyEndDate: isoDate,
  registeredAt: instant,
})
export type DealerProduct = z.infer<typeof dealerProduct>
export const dealerProductList = offsetPage(dealerProduct)

/** Body of operation 14: document 1, DealerProduct, without the fields that the server sets. */
export const dealerProductDraft = z.object({
  bpNo: z.string().optional().describe('Same value as in the path'),
  companyId: z.string().optional().describe('ID of the company of the dealer'),
  modelCode,
  serialNumber,
  imei: imei.optional(),
  purchaseDate: isoDate.optional(),
  purchasePlace: text(200).optional(),
  serviceType: z.enum(['IH', 'SR']).describe('IH: in-home, SR: stock repair'),
})
export type DealerProductDraft = z.infer<typeof dealerProductDraft>

export const productValidation = z.object({
  valid: z.boolean(),
  known: z.boolean().describe('Whether the device was produced or registered'),
  reason: z.string().optional().describe('Reason why the device is not valid'),
  prdId: z.string(),
  prdIdType: z.enum(['SERIAL', 'IMEI']),
  modelCode: z.string(),
  modelName: z.string(),
  category: z.string(),
  inWarranty: z.boolean(),
  warrantyEndDate: isoDate.nullable(),
  alreadyRegistered: z.boolean(),
})
export type ProductValidation = z.infer<typeof productValidation>

export const receiptFile = z.object({
  receiptFileKey: z.string(),
  /** Only dealers of this company can use the file as a receipt. */
  companyId: z.string().max(20).optional(),
  fileName: z.string(),
  uploadedAt: instant,
})

const modelColors = productModel.pick({ modelCode: true, colors: true })
export const productColors = z.union([modelColors, z.object({ models: z.array(modelColors).max(1000) })])
export type ProductColors = z.infer<typeof productColors>
