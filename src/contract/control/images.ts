import { z } from 'zod'
import { defineOperations } from '../operation.ts'
import { controlRoutes } from './routes.ts'

export const imageOperations = defineOperations(
  { scope: 'control', tag: 'Tickets' },
  {
    getImage: {
      route: controlRoutes.getImage,
      summary: 'The bytes of a symptom image, as they were uploaded',
      params: z.object({ imageId: z.string() }),
      produces: ['image/jpeg', 'image/gif', 'image/bmp', 'image/png'],
      reply: z.string().meta({ format: 'binary' }),
      further: [404],
    },
  },
)
