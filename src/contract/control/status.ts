import { noContent } from '../operation.ts'
import { status } from '../records/control/status.ts'
import { defineControl } from './define.ts'

export const statusOperations = defineControl('Status', {
  readStatus: { summary: 'What runs, and how the world stands', reply: status },
  reset: { summary: 'The world as it was at its start; live streams end', reply: noContent },
})
