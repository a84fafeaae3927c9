import { z } from 'zod'
import { requireImageBytes } from '../domain/guest/symptom-images.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Tickets')

export const images = [
  declare({
    operation: 'getImage',
    route: 'GET /_control/images/:imageId',
    summary: 'The bytes of a symptom image, as they were uploaded',
    params: z.object({ imageId: z.string() }),
    produces: ['image/jpeg', 'image/gif', 'image/bmp', 'image/png'],
    reply: z.string().meta({ format: 'binary' }),
    further: [404],
    run: async ({ ports, params }, reply) => {
      const { contentType, bytes } = await requireImageBytes(ports, params.imageId)
      // They were judged an image by their first bytes only: nobody may take them for a page.
      return reply
        .headers({ 'content-type': contentType, 'x-content-type-options': 'nosniff' })
        .headers({ 'content-security-policy': "default-src 'none'; sandbox" })
        .send(Buffer.from(bytes) as never)
    },
  }),
]
