import type { Ports } from '../../ports.ts'
import { type Variation, type VariationDraft, variationKinds } from '../../../contract/records/control/variation.ts'
import { notFound } from '../errors.ts'

/** From the next reply on. */
export function setVariation({ world, variations }: Ports, draft: VariationDraft): Variation {
  const variation = toVariation(draft, world)
  variations.set(variation)
  return variation
}

export function requireVariation({ variations }: Ports): Variation {
  const variation = variations.read()
  if (variation) return variation
  throw notFound('the replies of this world do not vary')
}

export function toVariation(
  { seed, kinds = [] }: VariationDraft,
  world: { name: string; seed?: string | undefined },
): Variation {
  return {
    seed: seed ?? world.seed ?? world.name,
    kinds: kinds.length > 0 ? variationKinds.filter((kind) => kinds.includes(kind)) : [...variationKinds],
  }
}
