import { z } from 'zod'
import { defineOperations } from '../../../operation.ts'
import { srid } from '../../../records/formats.ts'
import { inStoreDraft, inStoreServiceRequest } from '../../../records/in-store/in-store-request.ts'
import { sc4uObjectId } from './parameters.ts'
import { demanded } from '../parameters.ts'

const cancellation = z.object({ cancelled: z.boolean() })

export const inStoreRequestOperations = {
  ...defineOperations(
    { scope: 'users', tag: 'In Store' },
    {
      31: {
        route: 'DELETE /stg/us/instore/cancel',
        summary: 'Cancel an in-store request of yours',
        query: z.object({
          srid,
          remoteId: z.string().max(100).optional().meta({ description: 'Kept with the request' }),
        }),
        reply: cancellation,
        further: [204, 404],
      },
      32: {
        route: 'GET /stg/us/instore/checkmobile',
        summary: 'Check whether your profile has a mobile number',
        reply: z.object({ exist: z.boolean() }),
        further: [404],
        words: { 404: 'user not found' },
      },
      33: {
        route: 'POST /stg/us/instore/create',
        summary: 'Create an in-store request with its appointment',
        body: inStoreDraft,
        reply: inStoreServiceRequest,
        further: [201, 404],
        optionalBody: true,
      },
      34: {
        route: 'GET /stg/us/instore/detail',
        summary: 'Look up an in-store request of yours',
        query: z.object({ srid: srid.meta(demanded), sc4uObjectId }),
        reply: inStoreServiceRequest,
        further: [204, 404],
      },
    },
  ),
  ...defineOperations(
    { scope: 'anonymous', tag: 'In Store' },
    {
      35: {
        route: 'DELETE /stg/us/instore/noauth/emailcancel',
        summary: 'Cancel an in-store request by the link in its e-mail',
        query: z.object({ srid, key: z.string().meta({ description: 'From the link in the e-mail' }) }),
        reply: cancellation,
        further: [204, 404],
      },
    },
  ),
}
