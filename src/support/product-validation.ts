import { z } from 'zod'
import { lookUpDevice, validateProduct } from '../domain/guest/product-validation.ts'
import { productValidation as validation } from '../schemas/dealer/product.ts'
import { deviceId } from '../schemas/device-id.ts'
import { modelCode } from '../schemas/formats.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

const email = z.string().optional().meta({ description: 'Accepted without effect' })

export function productValidation(app: SupportApp): void {
  app.post('/stg/us/guest/product/validation', {
    config: operation(23),
    schema: {
      tags: ['Registration'],
      summary: 'Validate a device by serial number or IMEI, with its model',
      querystring: z.object({
        prdId: deviceId,
        modelCode,
        prof_id: z.string().optional().meta({ description: 'Accepted without effect: user cookie data' }),
        originPrdId: z.string().optional().meta({ description: 'Accepted without effect: the id validated before' }),
        email,
      }),
      response: { 200: validation, ...refusals(404) },
    },
    handler: async ({ ports, query }) => validateProduct(ports, query),
  })

  app.get('/stg/us/guest/product/validation/:deviceId', {
    config: operation(24),
    schema: {
      tags: ['Registration'],
      summary: 'Validate a device by serial number or IMEI alone',
      params: z.object({
        deviceId: z.string().optional().meta({ description: 'Serial number, or IMEI of 15 digits' }),
      }),
      querystring: z.object({ email }),
      response: { 200: validation, ...refusals(404) },
    },
    handler: async ({ ports, params }) => lookUpDevice(ports, params.deviceId),
  })
}
