import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { textUpTo } from '#contract/records/formats.ts'
import { inStoreDraft, inStoreServiceRequest } from '#contract/records/in-store/in-store-request.ts'
import { sc4uObjectId, demanded, sridToLookUp } from '../parameters.ts'

const cancellation = z.object({ cancelled: z.boolean() })

const noMobile = { 'vendorus-profId': 'web-bob' }
const ofZoe = { headers: { 'vendorus-profId': 'web-zoe-solano' }, query: { srid: '1341379346' } }

export const inStoreRequestOperations = {
  ...defineOperations(
    { scope: 'users', tag: 'In Store', awaitsProgress: true },
    {
      31: {
        route: 'DELETE /stg/us/instore/cancel',
        summary: 'Cancel an in-store request',
        query: z.object({
          srid: sridToLookUp,
          remoteId: textUpTo(100).optional().describe('ID from another system, which is stored with the request'),
        }),
        reply: cancellation,
        otherStatuses: [204, 404],
        example: ofZoe,
      },
      32: {
        route: 'GET /stg/us/instore/checkmobile',
        summary: 'Check whether a profile has a mobile number',
        description: 'Whether the user profile has a mobile phone number.',
        reply: z.object({ exist: z.boolean() }),
        otherStatuses: [404],
        words: { 404: 'user not found' },
        example: { headers: noMobile },
      },
      33: {
        route: 'POST /stg/us/instore/create',
        summary: 'Create an in-store request',
        body: inStoreDraft,
        reply: inStoreServiceRequest,
        otherStatuses: [201, 404],
        optionalBody: true,
        example: {
          headers: noMobile,
          body: {
            ascType: 'WALKIN',
            ascCode: 'ASC001',
            appointmentDate: '{{inStoreDate}}',
            startTime: '{{inStoreTime}}',
            symptoms: ['IS01'],
            modelCode: 'VM-S100',
            firstName: 'Bob',
            lastName: 'Ortiz',
            email: 'bob.ortiz@example.com',
            zipCode: '07660',
            mobilePhone: '201-555-0143',
            problemDescription: 'The screen stays black.',
          },
        },
      },
      34: {
        route: 'GET /stg/us/instore/detail',
        summary: 'Get an in-store request',
        query: z.object({ srid: sridToLookUp.meta(demanded), sc4uObjectId }),
        reply: inStoreServiceRequest,
        otherStatuses: [204, 404],
        example: ofZoe,
      },
    },
  ),
  ...defineOperations(
    { scope: 'anonymous', tag: 'In Store', awaitsProgress: true },
    {
      35: {
        route: 'DELETE /stg/us/instore/noauth/emailcancel',
        summary: 'Cancel a request by email link',
        query: z.object({
          srid: sridToLookUp,
          key: z.string().describe('Cancel key from the link in the email'),
        }),
        reply: cancellation,
        otherStatuses: [204, 404],
        example: {
          query: { srid: '8434346781', key: 'SSocn42GbxT5cpOaVWLj06te' },
          needs: 'srid and key, from the link in the email of operation 33 (GET /_control/outbox)',
        },
      },
    },
  ),
}
