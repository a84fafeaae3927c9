import { z } from 'zod'
import { lookUpDevice, validateProduct } from '../domain/guest/product-validation.ts'
import { productValidation as validation } from '../schemas/dealer/product.ts'
import { deviceId } from '../schemas/device-id.ts'
import { modelCode } from '../schemas/formats.ts'
import { guestOperations } from './operation.ts'

const declare = guestOperations('Registration')

const email = z.string().optional().meta({ description: 'Accepted without effect' })

export const productValidation = [
  declare({
    operation: 23,
    route: 'POST /stg/us/guest/product/validation',
    summary: 'Validate a device by serial number or IMEI, with its model',
    query: z.object({
      prdId: deviceId,
      modelCode,
      prof_id: z.string().optional().meta({ description: 'Accepted without effect: user cookie data' }),
      originPrdId: z.string().optional().meta({ description: 'Accepted without effect: the id validated before' }),
      email,
    }),
    reply: validation,
    further: [201, 404],
    run: async ({ ports, query }) => validateProduct(ports, query),
  }),

  declare({
    operation: 24,
    route: 'GET /stg/us/guest/product/validation/:deviceId',
    summary: 'Validate a device by serial number or IMEI alone',
    params: z.object({
      deviceId: z.string().optional().meta({ description: 'Serial number, or IMEI of 15 digits' }),
    }),
    query: z.object({ email }),
    reply: validation,
    further: [404],
    words: { 404: 'device not found' },
    run: async ({ ports, params }) => lookUpDevice(ports, params.deviceId),
  }),
]
