import { noContent } from '../operation.ts'
import { variation, variationDraft } from '../records/control/variation.ts'
import { defineControl } from './define.ts'

export const variationOperations = defineControl('Variation', {
  setVariation: {
    summary: 'Set the response variation',
    description:
      'Varies the responses of the world within the limits of the API documents and of HTTP, JSON, SSE and XML. ' +
      'Forks, snapshots and cases do not include this variation. They include the variation of a profile.',
    body: variationDraft.optional(),
    optionalBody: true,
    reply: variation,
    example: { body: { seed: 'any text', kinds: ['json-order', 'json-extra'] } },
  },
  getVariation: {
    summary: 'Get the response variation',
    reply: variation,
    example: { needs: 'a variation that setVariation has set' },
  },
  endVariation: { summary: 'Turn off the response variation', reply: noContent },
})
