import { z } from 'zod'
import { ToolError } from '../errors.ts'
import { explainCall, explainEntry } from '../explain/explain.ts'
import { callFields, entryId, shownCall } from '../fields.ts'
import { defineTool, shorten } from '../tool.ts'

const { operation, ...parts } = callFields

export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain a refusal',
  description:
    'Why a call was refused (`entry`: its id in the journal; or a call as in `call`): each rule, its sentence in the ' +
    'document or our choice, and the nearest call that passes, or the call that must come `first`. It was tried in a ' +
    'fork that is gone again; nothing changes. {{...}} stands for what the first call answers.',
  input: { entry: entryId.optional(), ...parts, operation: operation.optional() },
  output: {
    refused: z.boolean(),
    told: z.string(),
    tried: z.number(),
    call: shownCall,
    reasons: z.array(z.looseObject({ message: z.string(), source: z.string(), sentence: z.string().optional() })),
    first: z.array(z.looseObject({ told: z.string(), call: shownCall })).optional(),
    nearest: z.looseObject({ call: shownCall, status: z.number(), changes: z.array(z.string()) }).optional(),
  },
  reads: 'all',
  words: () => ({ fields: { id: 'entry' } }),
  async run(world, { entry, operation: named, ...given }) {
    const isCall = [named, ...Object.values(given)].some((part) => part !== undefined)
    if ((entry === undefined) !== isCall || (isCall && named === undefined)) {
      throw new ToolError('give entry alone, the id of a journal entry, or operation and the parts of a call')
    }
    const explanation = isCall
      ? await explainCall(world, { ...given, operation: named! })
      : await explainEntry(world, entry!)
    return shorten({ world: world.name, ...explanation })
  },
})
