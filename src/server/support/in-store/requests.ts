import { z } from 'zod'
import { cancelByEmail, cancelInStoreRequest } from '../../domain/in-store/in-store-cancellations.ts'
import {
  checkMobileNumber,
  createInStoreRequest,
  lookUpInStoreRequest,
} from '../../domain/in-store/in-store-requests.ts'
import { baseUrl } from '../../http/addresses.ts'
import { srid } from '../../../contract/records/formats.ts'
import { inStoreDraft, inStoreServiceRequest } from '../../../contract/records/in-store/in-store-request.ts'
import { anonymousOperation, demanded, userOperations } from '../operation.ts'
import { sc4uObjectId } from './parameters.ts'

const declare = userOperations('In Store')

const cancellation = z.object({ cancelled: z.boolean() })

export const inStoreRequests = [
  declare({
    operation: 32,
    route: 'GET /stg/us/instore/checkmobile',
    summary: 'Check whether your profile has a mobile number',
    reply: z.object({ exist: z.boolean() }),
    further: [404],
    words: { 404: 'user not found' },
    run: async ({ ports, caller }) => checkMobileNumber(ports, caller),
  }),

  declare({
    operation: 33,
    route: 'POST /stg/us/instore/create',
    summary: 'Create an in-store request with its appointment',
    body: inStoreDraft,
    reply: inStoreServiceRequest,
    further: [201, 404],
    optionalBody: true,
    run: async (request) => createInStoreRequest(request.ports, request.caller, request.body, baseUrl(request)),
  }),

  declare({
    operation: 34,
    route: 'GET /stg/us/instore/detail',
    summary: 'Look up an in-store request of yours',
    query: z.object({ srid: srid.meta(demanded), sc4uObjectId }),
    reply: inStoreServiceRequest,
    further: [204, 404],
    run: async ({ ports, caller, query }) => lookUpInStoreRequest(ports, caller, query.srid),
  }),

  declare({
    operation: 31,
    route: 'DELETE /stg/us/instore/cancel',
    summary: 'Cancel an in-store request of yours',
    query: z.object({ srid, remoteId: z.string().max(100).optional().meta({ description: 'Kept with the request' }) }),
    reply: cancellation,
    further: [204, 404],
    run: async ({ ports, caller, query }) => cancelInStoreRequest(ports, caller, query),
  }),
]

export const emailCancellation = [
  anonymousOperation({
    operation: 35,
    route: 'DELETE /stg/us/instore/noauth/emailcancel',
    summary: 'Cancel an in-store request by the link in its e-mail',
    query: z.object({ srid, key: z.string().meta({ description: 'From the link in the e-mail' }) }),
    reply: cancellation,
    further: [204, 404],
    run: async ({ ports, query }) => cancelByEmail(ports, query),
  }),
]
