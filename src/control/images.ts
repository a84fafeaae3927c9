import { z } from 'zod'
import { requireImageBytes } from '../domain/guest/symptom-images.ts'
import { errorBody } from '../http/json-errors.ts'
import type { ControlApp } from './context.ts'

export function images(app: ControlApp): void {
  app.get('/_control/images/:imageId', {
    config: { operation: 'getImage' },
    schema: {
      tags: ['Tickets'],
      summary: 'The bytes of a symptom image, as they were uploaded',
      params: z.object({ imageId: z.string() }),
      produces: ['image/jpeg', 'image/gif', 'image/bmp', 'image/png'],
      response: { 200: z.string().meta({ format: 'binary' }), 403: errorBody, 404: errorBody },
    },
    handler: async ({ ports, params }, reply) => {
      const { contentType, bytes } = await requireImageBytes(ports, params.imageId)
      // They were judged an image by their first bytes only: nobody may take them for a page.
      return reply
        .headers({ 'content-type': contentType, 'x-content-type-options': 'nosniff' })
        .headers({ 'content-security-policy': "default-src 'none'; sandbox" })
        .send(Buffer.from(bytes) as never)
    },
  })
}
