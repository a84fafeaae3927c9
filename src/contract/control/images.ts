import { z } from 'zod'
import { defineControl } from './define.ts'

export const imageOperations = defineControl('Tickets', {
  getImage: {
    summary: 'The bytes of a symptom image, as they were uploaded',
    params: z.object({ imageId: z.string() }),
    produces: ['image/jpeg', 'image/gif', 'image/bmp', 'image/png'],
    reply: z.string().meta({ format: 'binary' }),
    further: [404],
    example: { needs: 'imageId, from operation 26' },
  },
})
