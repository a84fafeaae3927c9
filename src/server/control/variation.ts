import { variationOperations } from '#contract/control/variation.ts'
import { type Variation, type VariationDraft, toVariation } from '#contract/records/control/variation.ts'
import { notFound } from '../domain/errors.ts'
import type { Ports } from '../ports.ts'
import { implementControl } from './context.ts'

export const variations = implementControl(variationOperations, {
  setVariation: async ({ ports, body }) => setVariation(ports, body ?? {}),
  getVariation: async ({ ports }) => {
    const variation = ports.variations.read()
    if (variation) return variation
    throw notFound('variation is off in this world', 'our choice: control-refusals')
  },

  endVariation: async ({ ports }) => ports.setVariation(undefined),
})

export async function setVariation(ports: Ports, draft: VariationDraft): Promise<Variation> {
  const variation = toVariation(draft, ports.world)
  await ports.setVariation(variation)
  return variation
}
