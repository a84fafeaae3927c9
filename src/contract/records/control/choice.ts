import { z } from 'zod'

export const choiceSummary = z.object({
  id: z.string().meta({ description: 'Refusals by it name it: `our choice: zip-plus-four`', example: 'zip-plus-four' }),
  document: z.string().describe('The document that is silent'),
  operations: z
    .array(z.union([z.int(), z.string()]))
    .meta({ description: 'Those that it is about; none: all of the document' }),
  silence: z.string().describe('What the document leaves open'),
  choice: z.string().describe('What we do'),
  why: z.string().optional().describe('Why, where that is not plain'),
  value: z.unknown().meta({ description: 'As it is set in this world; null where it cannot be set' }),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .meta({ description: 'Values that it can be set to, the default first' }),
})
export type ChoiceSummary = z.infer<typeof choiceSummary>
