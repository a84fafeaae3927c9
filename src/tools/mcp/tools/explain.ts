import { z } from 'zod'
import { explainEntry } from '../explain/explain.ts'
import { entryId, shownCall } from '../fields.ts'
import { defineTool, reading } from '../tool.ts'

export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain an error',
  description:
    'Why a call was rejected. `entry` is its ID in the journal. Returns each rule with its sentence, the field and the ' +
    "message, and the operation's example: where the error names fields, with the call's own values in all others.",
  output: {
    refused: z.boolean(),
    reasons: z.array(z.looseObject({ message: z.string(), source: z.string(), sentence: z.string().optional() })),
    call: shownCall,
    needs: z.string().optional(),
    example: shownCall.optional(),
  },
  actions: {
    explain: reading({ entry: entryId }, (world, { entry }) => explainEntry(world, entry), { id: 'entry' }),
  },
})
