import { durationOf } from '../duration.ts'
import { defineChoices } from './choice.ts'
import { literals, oneOf } from './value.ts'

export const identityChoices = defineChoices('Identity', 'document 1', {
  'request-source-web': {
    value: literals('vendor.com', 'splus', 'voyager'),
    silence: '`request-source`',
    choice: '`vendor.com`, `splus`, `voyager`; absent, other, or several joined by commas: 400',
  },
  'guest-identity': {
    value: oneOf('optional', 'required'),
    silence: 'who must say who they are',
    choice:
      '`contact`, `customerFeedback`, `dealer`, `instore`; `guest`, `cti/guest`: used when sent; ' +
      '`instore/noauth`: not looked at',
  },
  'identity-kind': {
    silence: 'what counts',
    choice: 'web site: `vendorus-profId`, the cookie of that name first; apps: `vendorus-GUID`; never the other one',
    why: "an app's GUID is no web profile",
  },
  'identity-headers': {
    silence: 'an empty cookie; one in quotes; two different ones, or a repeated header',
    choice: 'absent; its value (RFC 6265); 400',
  },
  'identity-form': {
    silence: 'form',
    choice: '1 to 512 printable characters of ASCII, else 401, for guests too',
  },
  'session-lifetime': {
    value: durationOf('none').default('none'),
    silence: 'how long an identity is good for',
    choice: 'for ever; else 401 so long after its first call, until `POST /_control/sessions` renews it',
  },
  'unknown-identity': {
    silence: 'no profile of that identity',
    choice: '32, 33: 404 "user not found"; 31, 34: no record; dealer operations: 401; elsewhere good enough',
    why: 'only these need the profile',
  },
  'dealer-company': {
    silence: 'dealers',
    choice:
      "a profile with a dealer company, else 403; naming another company is 403; what is another company's is 404",
  },
})

export const recordsChoices = defineChoices('Records', 'document 1', {
  'cti-token': {
    operations: [3],
    silence: 'CtiToken (3)',
    choice: '48 letters and digits for 3600 s, a new one each time',
  },
  feedback: {
    operations: [4, 22],
    silence: 'feedback (4, 22)',
    choice: 'rating 1 to 5 and comment (1 to 2000 characters after trimming) are required',
  },
  'server-fields': {
    silence: 'set by us',
    choice:
      'of a Customer bpNo, companyId, country, createdAt, updatedAt; of a product productId, category, ' +
      'subType, warranty, registeredAt',
  },
  wrappers: {
    silence: 'ResponseEntity; ItemWrapper',
    choice: '`body` is the Customer; items, totalCount, hasMore and the paging as it applied',
  },
  'service-request': {
    silence: 'ServiceRequest',
    choice:
      'replies show what was sent, also problemDescription, purchaseDate, storeNumber, dealerReferenceNo ' +
      '(8), receiptFileKey (15), rescheduleReasonCode (9, in its history entry); 34 has history, images ' +
      'and statusReasonCode too',
  },
  'nearest-reply': {
    operations: [36, 32],
    silence: 'nearest (36); mobile check (32)',
    choice: '`distance` in miles; `{"exist": true}` as `application/json`',
  },
  'kept-ids': {
    operations: [31, 33, 34],
    silence: 'remoteId (31, 33), sc4uObjectId (33)',
    choice: 'kept with the request, the last one sent (on 31 whatever comes of the call); 34 shows them',
  },
  'accepted-without-effect': {
    silence: 'accepted without effect',
    choice:
      'sc4uObjectId in the query of 34, 36, 37, accessToken (never logged): they concern other systems of ' +
      'the vendor',
  },
})
