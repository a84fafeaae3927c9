import { inStoreRequestOperations } from '#contract/documents/support/in-store/requests.ts'
import { cancelByEmail, cancelInStoreRequest } from '#server/domain/in-store/in-store-cancellations.ts'
import {
  checkMobileNumber,
  createInStoreRequest,
  lookUpInStoreRequest,
} from '#server/domain/in-store/in-store-requests.ts'
import { baseUrl } from '#server/http/addresses.ts'
import { implement } from '../operation.ts'

export const inStoreRequests = implement(inStoreRequestOperations, {
  31: async ({ ports, caller, query }) => cancelInStoreRequest(ports, caller, query),
  32: async ({ ports, caller }) => checkMobileNumber(ports, caller),
  33: async (request) => createInStoreRequest(request.ports, request.caller, request.body, baseUrl(request)),
  34: async ({ ports, caller, query }) => lookUpInStoreRequest(ports, caller, query.srid),
  35: async ({ ports, query }) => cancelByEmail(ports, query),
})
