import { z } from 'zod'
import { explainEntry } from '../explain/explain.ts'
import { entryId, shownCall } from '../fields.ts'
import { defineTool, shorten } from '../tool.ts'

export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain an error',
  description:
    'Why a call was rejected. `entry` is its ID in the journal. Returns each rule with its sentence, the field and the ' +
    "message, and the operation's example: where the error names fields, with the call's own values in all others.",
  input: { entry: entryId },
  output: {
    refused: z.boolean(),
    reasons: z.array(z.looseObject({ message: z.string(), source: z.string(), sentence: z.string().optional() })),
    call: shownCall,
    needs: z.string().optional(),
    example: shownCall.optional(),
  },
  reads: 'all',
  words: () => ({ fields: { id: 'entry' } }),
  async run(world, { entry }) {
    return shorten({ world: world.name, ...(await explainEntry(world, entry)) })
  },
})
