import { customerOperations } from '#contract/documents/support/dealer/customers.ts'
import { createCustomer, editCustomer, searchCustomers } from '#server/domain/dealer/customers.ts'
import { alsoNamed } from './own-company.ts'
import { implement } from '../operation.ts'

export const customers = implement(customerOperations, {
  6: async ({ ports, caller, query }, reply) => {
    const found = await searchCustomers(ports, caller, query)
    reply.header('x-total-count', found.totalCount)
    return found.customer
  },
  7: async ({ ports, caller, body }) => {
    const created = await createCustomer(ports, caller, body)
    return { status: 200, code: 'OK', message: 'The customer was created', body: created }
  },
  13: async ({ ports, caller, params, query, body }) => {
    const changes = { ...body, bpNo: alsoNamed(params.id, query, body) }
    const edited = await editCustomer(ports, caller, params.id, changes)
    return { status: 200, code: 'OK', message: 'The customer was changed', body: edited }
  },
})
