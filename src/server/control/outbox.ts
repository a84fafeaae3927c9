import { outboxOperations } from '#contract/control/outbox.ts'
import { clearOutbox, listOutbox } from '../domain/control/outbox.ts'
import { implementControl } from './context.ts'

export const outbox = implementControl(outboxOperations, {
  listOutbox: async ({ ports, query }) => listOutbox(ports, query),
  clearOutbox: async ({ ports }) => clearOutbox(ports),
})
