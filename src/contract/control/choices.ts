import { z } from 'zod'
import { choiceSummary } from '../records/control/choice.ts'
import { defineControl } from './define.ts'

export const choiceOperations = defineControl('Choices', {
  listChoices: {
    summary: 'What we do where the documents are silent, and what of it can be set',
    reply: z.object({ items: z.array(choiceSummary), totalCount: z.int() }),
  },
})
