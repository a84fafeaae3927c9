import { imageOperations } from '#contract/control/tickets.ts'
import { requireImageBytes } from '../domain/guest/symptom-images.ts'
import { implementControl } from './context.ts'

export const images = implementControl(imageOperations, {
  getImage: async ({ ports, params }, reply) => {
    const { contentType, bytes } = await requireImageBytes(ports, params.imageId)
    // Only the first bytes were checked, so browsers must not take the file for a page.
    return reply
      .headers({ 'content-type': contentType, 'x-content-type-options': 'nosniff' })
      .headers({ 'content-security-policy': "default-src 'none'; sandbox" })
      .send(Buffer.from(bytes) as never)
  },
})
