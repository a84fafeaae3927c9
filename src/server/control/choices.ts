import { choiceOperations } from '../../contract/control/choices.ts'
import { listChoices } from '../domain/control/choices.ts'
import { implementControl } from './context.ts'

export const choices = implementControl(choiceOperations, {
  listChoices: async () => listChoices(),
})
