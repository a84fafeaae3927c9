import { z } from 'zod'

export const choiceSummary = z.object({
  id: z.string().meta({ description: 'ID of the choice', example: 'zip-plus-four' }),
  sentence: z.string().describe('What the server does'),
  document: z.string().describe('The document that leaves it open'),
  operations: z
    .array(z.union([z.int(), z.string()]))
    .describe('The operations that it concerns. An empty list means the whole document.'),
  source: z.string().meta({ description: 'How errors cite it', example: 'our choice: zip-plus-four' }),
  value: z.unknown().meta({ description: 'Its value in this world, or null where a profile cannot set it' }),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Values that a profile can set, the default first'),
})
export type ChoiceSummary = z.infer<typeof choiceSummary>
