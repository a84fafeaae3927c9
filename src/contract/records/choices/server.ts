import { z } from 'zod'
import { defineChoices } from './choice.ts'
import { rateLimit } from './rate-limit.ts'
import { oneOf, wholeNumber } from './value.ts'

// Written out because TypeScript's inference depends on the order of all files and sometimes widens these words to
// string.
const basePath = oneOf('both', 'with', 'without')

export const serverChoices = defineChoices('The server', 'all documents', {
  'one-address': {
    silence: 'the four addresses of the documents',
    choice: 'one process, one port: all are `http://localhost:8080`',
  },
  'base-path': {
    value: basePath,
    document: 'document 1',
    silence: "whether document 1's base path stands before its paths",
    choice: '`/stg/us/...` and `/support-api/stg/stg/us/...` both answer',
    why: 'clients of either reading run',
  },
  'link-base': {
    silence: 'where links we hand out begin',
    choice:
      "`PUBLIC_URL`, else the request's protocol and host; with the prefix of the world; `X-Forwarded-*` " +
      'counts with `TRUST_PROXY` only',
    why: 'a forged header must not change a link',
  },
  'first-page': {
    silence: 'first page, descriptions',
    choice:
      '`/` and `/openapi` are pages, JSON for programs; `/docs` has a page for each interface; ' +
      '`/openapi/*.json` is readable from any origin',
  },
  'rate-limit': {
    value: rateLimit(),
    silence: 'how many requests a caller may send',
    choice:
      'any number, unless this or `RATE_LIMIT` sets one: over it 429 with `Retry-After` until the time that began with ' +
      "the caller's first call is over. Callers are counted by identity, else the bearer's user, else partnerCode, else " +
      'address; refused calls count nothing',
  },
  'cors-origins': {
    silence: 'pages of other origins',
    choice: 'those in `CORS_ORIGINS`, all of this machine unless told, never the control API; the event stream: any',
    why: "a stream's address is its key",
  },
})

export const errorsChoices = defineChoices('Errors', 'documents 1 and 2', {
  'error-shape': {
    value: oneOf('envelope', 'problem', 'spring', 'empty'),
    silence: 'shape (documents 1, 2)',
    choice:
      '`{"requestId", "error": {"code", "message", "details": [{"code", "message", "target", "details": ' +
      '[]}]}}`; `requestId` is the header `x-request-id` too',
    why: 'real clients fail to parse without `details` on every level',
  },
  'all-findings': {
    silence: 'how much is told',
    choice:
      'all that is wrong in path, query and body at once, up to 100 findings, each with its `target`, such ' +
      'as `body.symptoms[0]`',
  },
  'request-ids': {
    silence: "a client's `x-request-id`",
    choice: 'kept when it is 1 to 64 of `A-Z a-z 0-9 . _ -`; else counted in its world',
  },
  'check-order': {
    silence: 'order of checks',
    choice: 'request-source (400), identity (401), role (403), input (400), existence (404), rules (400)',
    why: 'nobody learns more than their role allows',
  },
  'further-statuses': {
    silence: 'further statuses',
    choice: '400 for unusable input anywhere, 404, 405 with `Allow`, 408, 429, 431, 500; 503 on 4 and 22 only',
  },
  'undeclared-statuses': {
    silence: '409, 413, 415, 422 in document 1',
    choice:
      '400 with a code: `ConflictError`, `SlotUnavailable`, `LimitExceeded`, `PayloadTooLargeError`, ' +
      "`UnsupportedMediaTypeError`; document 2's subscriptions use the statuses",
    why: 'document 1 declares none of them',
  },
  'unknown-ids': {
    silence: 'what a path or parameter names and nobody knows: a reason (2), a category (5), a service center',
    choice: '404',
  },
  'foreign-is-unknown': {
    silence: 'what exists but is not yours',
    choice: '404, the bytes of what does not exist',
    why: 'ids cannot be tried out',
  },
})

export const bodiesAndParametersChoices = defineChoices('Bodies and parameters', 'documents 1 and 2', {
  'empty-values': {
    silence: 'empty values',
    choice:
      'optional: absent; required: 400. null in a body is absent. A required name, address line, comment ' +
      'or description of white space alone is missing; other text is kept as sent',
  },
  'required-fields': {
    silence: 'which parameters and fields must be there',
    choice:
      'as [support.yaml](support.yaml), [events.yaml](events.yaml) and [control.yaml](control.yaml) have them; ' +
      'absent is 400',
  },
  'field-forms': {
    silence: 'which types, forms, sizes and values they have',
    choice: 'as these files have them; any other is 400',
  },
  'unknown-fields': {
    silence: 'unknown parameters and fields',
    choice: "ignored in the documents' operations; 400 in the control API",
  },
  paging: {
    operations: [12, 17, 19],
    silence: 'paging',
    choice: '`limit` and `size` from 1, `offset` from 0, `pageNo` from 1; else 400',
  },
  'page-size': {
    value: wholeNumber(20, 1000),
    operations: [17, 19],
    silence: 'entries of a page where the client asks for no number',
    choice: '20',
  },
  'page-max': {
    value: wholeNumber(100, 1000),
    operations: [17, 19],
    silence: 'the most entries of a page',
    choice: '100; a larger `limit` or `size` is 400; 17 without `pagination` gives the first 100',
  },
  'repeated-parameters': {
    silence: 'a repeated parameter that is no array; keys `__proto__`, `constructor`',
    choice: '400',
  },
  'ignored-bodies': {
    silence: 'an operation without a body',
    choice: 'body, content type and encoding are ignored',
    why: 'some clients send `application/json` with nothing',
  },
  'date-header': {
    document: 'all documents',
    silence: 'HTTP `Date`',
    choice: "the machine's, in every world",
  },
  'content-types': {
    silence: 'content types',
    choice:
      'none: JSON; others and any content-encoding: 400 in document 1; subscriptions read JSON whatever ' +
      'the type says',
  },
  'header-count': {
    silence: 'a request of 200 headers or more',
    choice: '431, and the connection ends',
    why: 'many short ones take far more memory than bytes',
  },
  'json-bodies': {
    silence: 'a body that is no UTF-8 or no JSON',
    choice: '400, whatever else is wrong beside it',
  },
  'json-bounds': {
    silence: 'bounds of JSON',
    choice: '1 MiB, 64 levels, 10,000 values, `maxItems` of lists',
  },
  'text-length': {
    silence: 'lengths of text',
    choice: 'in UTF-16 units, as Java and JavaScript count: an emoji is two',
  },
  formats: {
    silence: 'dates, instants, phones',
    choice: '`YYYY-MM-DD`; ISO 8601 with offset; kept as E.164',
  },
  'required-bodies': {
    operations: [4, 15, 22, 33, 30, 36, 34, 26],
    silence:
      'a body that the interface has as optional (4, 15, 22, 33); `zipCode` (30, 36), `srid` (34), file ' +
      'and name (26)',
    choice: 'absent is 400',
    why: 'there is no answer without',
  },
  'created-status': {
    value: z.literal([200, 201]).default(200),
    operations: [3, 4, 7, 8, 9, 13, 14, 15, 22, 23, 26, 33],
    silence: '201 and 204, which are "also declared"',
    choice: '200, and 204 where nothing is there to answer; a fault shows them (`"respond": {"status": 201}`)',
  },
  'bracket-lists': {
    silence: 'lists as `statusList[]=` (PHP, axios)',
    choice: 'another name, so unknown and ignored',
  },
})
