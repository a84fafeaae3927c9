import { imageOperations } from '../../contract/control/tickets.ts'
import { requireImageBytes } from '../domain/guest/symptom-images.ts'
import { implementControl } from './context.ts'

export const images = implementControl(imageOperations, {
  getImage: async ({ ports, params }, reply) => {
    const { contentType, bytes } = await requireImageBytes(ports, params.imageId)
    // They were judged an image by their first bytes only: nobody may take them for a page.
    return reply
      .headers({ 'content-type': contentType, 'x-content-type-options': 'nosniff' })
      .headers({ 'content-security-policy': "default-src 'none'; sandbox" })
      .send(Buffer.from(bytes) as never)
  },
})
