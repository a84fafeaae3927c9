import { variationOperations } from '#contract/control/variation.ts'
import { requireVariation, setVariation } from '../domain/control/variations.ts'
import { implementControl } from './context.ts'

export const variations = implementControl(variationOperations, {
  setVariation: async ({ ports, body }) => setVariation(ports, body ?? {}),
  getVariation: async ({ ports }) => requireVariation(ports),

  endVariation: async ({ ports }) => ports.setVariation(undefined),
})
