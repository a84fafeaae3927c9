import type { Ports } from '#server/ports.ts'
import { type Variation, type VariationDraft, toVariation } from '#contract/records/control/variation.ts'
import { notFound } from '../errors.ts'

/** Replies vary from the next one on. */
export async function setVariation(ports: Ports, draft: VariationDraft): Promise<Variation> {
  const variation = toVariation(draft, ports.world)
  await ports.setVariation(variation)
  return variation
}

export function requireVariation({ variations }: Ports): Variation {
  const variation = variations.read()
  if (variation) return variation
  throw notFound('the replies of this world do not vary', 'our choice: control-refusals')
}
