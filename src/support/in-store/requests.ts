import { z } from 'zod'
import { cancelByEmail, cancelInStoreRequest } from '../../domain/in-store/in-store-cancellations.ts'
import {
  checkMobileNumber,
  createInStoreRequest,
  lookUpInStoreRequest,
} from '../../domain/in-store/in-store-requests.ts'
import { baseUrl } from '../../http/connection/links.ts'
import { noContent } from '../../http/zod.ts'
import { srid } from '../../schemas/formats.ts'
import { inStoreDraft, inStoreServiceRequest } from '../../schemas/in-store/in-store-request.ts'
import { userOf } from '../identity.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'

const tags = ['In Store']
const cancellation = z.object({ cancelled: z.boolean() })
const withoutEffect = z.string().optional().meta({ description: 'Accepted without effect' })

export function inStoreRequests(app: SupportApp): void {
  app.get('/stg/us/instore/checkmobile', {
    config: operation(32),
    schema: {
      tags,
      summary: 'Check whether your profile has a mobile number',
      response: { 200: z.object({ exist: z.boolean() }), ...refusals(404) },
    },
    handler: async (request) => checkMobileNumber(request.ports, userOf(request)),
  })

  app.post('/stg/us/instore/create', {
    config: operation(33),
    schema: {
      tags,
      summary: 'Create an in-store request with its appointment',
      body: inStoreDraft,
      response: { 200: inStoreServiceRequest, ...refusals(404) },
    },
    handler: async (request) => createInStoreRequest(request.ports, userOf(request), request.body, baseUrl(request)),
  })

  app.get('/stg/us/instore/detail', {
    config: operation(34),
    schema: {
      tags,
      summary: 'Look up an in-store request of yours',
      querystring: z.object({ srid: srid.meta({ requiredBy: 'our choice' }), sc4uObjectId: withoutEffect }),
      response: { 200: inStoreServiceRequest, 204: noContent, ...refusals(404) },
    },
    handler: async (request, reply) => {
      const found = await lookUpInStoreRequest(request.ports, userOf(request), request.query.srid)
      return found ?? reply.code(204).send(undefined)
    },
  })

  app.delete('/stg/us/instore/cancel', {
    config: operation(31),
    schema: {
      tags,
      summary: 'Cancel an in-store request of yours',
      querystring: z.object({ srid, remoteId: withoutEffect }),
      response: { 200: cancellation, 204: noContent, ...refusals(404) },
    },
    handler: async (request) => cancelInStoreRequest(request.ports, userOf(request), request.query.srid),
  })
}

export function emailCancellation(app: SupportApp): void {
  app.delete('/stg/us/instore/noauth/emailcancel', {
    config: operation(35),
    schema: {
      tags,
      summary: 'Cancel an in-store request by the link in its e-mail',
      querystring: z.object({ srid, key: z.string().meta({ description: 'From the link in the e-mail' }) }),
      response: { 200: cancellation, 204: noContent, ...refusals(404) },
    },
    handler: async ({ ports, query }) => cancelByEmail(ports, query),
  })
}
