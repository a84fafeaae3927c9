import type * as z from 'zod'
import { choiceSchemas } from './records/control/choice-values.ts'

type Document = 'all documents' | 'documents 1 and 2' | `document ${1 | 2 | 3}` | 'control API' | 'storage'

export interface Rule {
  /** At most 40 words, in sentences of at most 25 words. */
  sentence: string
  document: Document
  /** Operation numbers or names. An empty list means that the rule applies to the entire document. */
  operations: readonly (number | string)[]
  /** The values that a profile can set, and the default value. */
  schema?: z.ZodDefault | undefined
}

/** An ID with spaces is a section of a document or standard. Any other ID is a choice of vendor-cloud. */
export const rules = {
  ...about('all documents', [], {
    'one-address': 'One process serves all APIs on one port, by default at http://localhost:8080.',
    'link-base':
      'Links start with `PUBLIC_URL` or, if it is not set, with the protocol and host of the request. With ' +
      '`TRUST_PROXY`, protocol and host are the last entries of `X-Forwarded-Proto` and `X-Forwarded-Host`.',
    'first-page':
      '`/` and `/openapi` return HTML to browsers and JSON to other clients. Pages of any origin can read ' +
      '`/openapi/*.json`.',
    'rate-limit':
      'Requests are not limited by default. A profile can limit the requests of each caller per period. Requests ' +
      'over the limit return 429 with `Retry-After` and are not counted.',
    'cors-origins':
      'Web pages from `CORS_ORIGINS` (default: pages on this machine) can call the APIs and read their errors. The ' +
      'control API is not available to other origins.',
    challenges:
      'A 401 response has `WWW-Authenticate` and a 407 response `Proxy-Authenticate`, with the scheme `Identity` in ' +
      'document 1 and `Bearer` elsewhere.',
    'rule-header': 'A response without `details` cites its rules in the header `x-vendor-cloud-rule`.',
    'unparsed-requests':
      'A request that is not valid HTTP gets an error in the format of the API at its path. If it has no path, it ' +
      'gets a plain-text error.',
    'date-header': 'The `Date` header contains the real time in every world.',
  }),
  ...about('documents 1 and 2', [], {
    'error-shape':
      'Errors are `{requestId, error: {code, message, details}}` by default (`envelope`). A profile can select RFC ' +
      '9457 (`problem`), the format of Spring Boot (`spring`) or no body (`empty`).',
    'all-findings':
      'In `details`, a 400 response lists up to 100 errors in the path, query and body. If there are several errors, ' +
      'the message states their number and the first one.',
    'request-ids':
      'The server keeps an `x-request-id` of 1 to 64 characters `A-Z a-z 0-9 . _ -`. It replaces any other value ' +
      'with a generated ID that contains a counter.',
    'check-order':
      'The server checks a request in this order: request-source (400), identity (401), role (403), input (400), ' +
      'existence of the records (404), other rules (400).',
    'further-statuses':
      'Every operation can return 400, 404, 405 with `Allow`, 408, 417, 429, 431 or 500. Operations 4 and 22 declare ' +
      '503. The others return it only if the server shuts down, has too many connections or cannot reach its store.',
    'undeclared-statuses':
      'Document 1 does not declare 409, 413, 415 and 422. The server returns 400 with a specific code instead.',
    'unknown-ids': 'An unknown reason, category or service center in a path or parameter returns 404.',
    'foreign-is-unknown':
      'A record of another user or company returns 404, with the same error as a record that does not exist.',
    'empty-values': 'Empty and null values count as absent. A required text of only white space counts as missing.',
    'required-fields': 'The OpenAPI files list the required parameters and fields. Omitting one of them returns 400.',
    'field-forms': 'The OpenAPI files define types, formats, sizes and values. Any other value returns 400.',
    'unknown-fields': 'The APIs ignore unknown parameters and fields. The control API rejects them with 400.',
    paging:
      '`limit`, `size` and `pageNo` start at 1, `offset` at 0. For a number out of range, operations 17 and 19 use ' +
      'the nearest valid number. Other operations reject it with 400.',
    'repeated-parameters':
      'A repeated parameter that is not a list returns 400. A key `__proto__` or `constructor` also returns 400.',
    'ignored-bodies':
      'If an operation does not define a body, the server ignores a body that is sent, its content type and its ' +
      'encoding.',
    'content-types':
      'A body without a content type is read as JSON. Other content types and encodings return 400 in document 1 ' +
      'and 415 in the other documents.',
    'header-count':
      'A request with at least 200 headers, or with at least 16 KiB of URL and headers, returns 431. The server then ' +
      'closes the connection.',
    'json-bodies': 'A body that is not valid UTF-8 or not valid JSON returns 400 without further validation errors.',
    'json-bounds': 'A JSON body has at most 1 MiB, 64 nested levels, 10,000 values and `maxItems` entries per list.',
    'text-length': 'Text lengths count UTF-16 code units, so an emoji counts as two.',
    formats: 'Dates are `YYYY-MM-DD`. Timestamps are ISO 8601 with an offset. Phone numbers are stored as E.164.',
    'email-form':
      'Email addresses follow the HTML validation rule for email inputs, and can also contain letters from any ' +
      'writing system.',
    'bracket-lists': 'A parameter name with brackets, such as `statusList[]`, is unknown and ignored.',
  }),
  ...about('document 1', [2, 6, 11, 12, 16, 17, 19, 24, 25, 28, 37], {
    'unusable-values':
      'If no 400 is declared, a malformed ID returns 404, a malformed filter matches nothing, and invalid sorting ' +
      'and paging use defaults (`tolerate`). A profile can require 400 in all these cases (`reject`).',
  }),
  ...about('document 1', [17, 19], {
    'page-size': 'A page has 20 entries unless the client sets the page size. A profile can set another default.',
    'page-max':
      'A page has at most 100 entries. A larger `limit` or `size` is reduced to the maximum, which a profile can ' +
      'change.',
    'empty-lists': 'If nothing matches, a list operation returns 200 with an empty list in its wrapper.',
    'list-sorting':
      'Lists can be sorted by any string, number or boolean field of the response. Other field names are ignored. ' +
      'By default, operation 19 lists the newest ticket first.',
  }),
  ...about('document 1', [], {
    'base-path':
      'Paths of document 1 work with and without its base path `/support-api/stg`. A profile can require it ' +
      '(`with`) or reject it (`without`).',
    'request-source-web':
      'The web site sends `vendor.com` as `request-source`, the apps `splus` or `voyager`. Any other value ' +
      'returns 400. A profile can set other values for the web site.',
    'guest-identity':
      'Paths under `contact`, `customerFeedback`, `dealer` and `instore` require an identity. Under `guest` and ' +
      '`cti/guest`, it is optional unless a profile requires it. Under `instore/noauth`, it is ignored.',
    'identity-kind':
      '`vendorus-profId` identifies users of the web site. If it is sent both as a cookie and as a header, the ' +
      'cookie takes precedence. `vendorus-GUID` identifies users of the apps.',
    'identity-headers':
      'An empty identity cookie counts as absent, and quotes around its value are removed. Identity cookies with ' +
      'different values return 400, and so do repeated headers.',
    'identity-form':
      'An identity has 1 to 512 printable ASCII characters. Any other value returns 401, even where it is optional.',
    'session-lifetime':
      'An identity is valid forever by default. A profile can limit how long it is valid after its first request.',
    'unknown-identity':
      'Most operations accept an identity without a user profile. Without one, operations 32 and 33 return 404, ' +
      'dealer operations return 401, and operations 31 and 34 find no record.',
    'dealer-company':
      'A dealer operation requires a user profile with a dealer company. A request that names another company ' +
      'returns 403.',
    'server-fields':
      'The server sets these fields. Customer: `bpNo`, `companyId`, `country`, `createdAt` and `updatedAt`. Product: ' +
      '`productId`, `category`, `subType`, the warranty fields and `registeredAt`.',
    wrappers:
      '`ResponseEntity.body` is the customer. `ItemWrapper` has `items`, `totalCount`, `hasMore` and the paging ' +
      'parameters that were applied.',
    'service-request':
      'A response contains the fields of the service request. The response of operation 34 also contains the ' +
      'history, the images and `statusReasonCode`.',
    'accepted-without-effect': '`accessToken`, and `sc4uObjectId` in operations 34, 36 and 37, have no effect.',
    warranty:
      'A warranty starts on the purchase date, or on the registration date if there is no purchase date. It lasts ' +
      'for the months of the model and includes its last day.',
    'malformed-srid':
      'A malformed `srid` returns 400 in operations 26, 31, 34 and 35. In other operations, it counts as unknown.',
    'ticket-statuses':
      'E0001 means requested, E0002 in process, and E0003 closed as COMPLETED, CANCELLED, NO_SHOW or ' +
      'CANCELLED_BY_VENDOR.',
    'ticket-ids': '`srid` and `ticketNumber` have 10 digits each and are not sequential.',
    'confirmed-and-over':
      'A confirmed request stays in process until it is completed, and never counts as missed. It is completed ' +
      'automatically when the world clock reaches 24 hours after the end of its appointment.',
    'ticket-progress':
      'By default, only the control API confirms a request. With `auto`, the status of requests changes ' +
      'automatically as time passes on the world clock.',
    'previous-appointments':
      'The entries of `previousAppointments` have the status RESCHEDULED, or MISSED for a missed appointment.',
    'daylight-saving':
      'A local start time that daylight saving time skips is not a slot. If a start time occurs twice, only its ' +
      'first occurrence is a slot.',
  }),
  ...about('document 1', [3, 4, 7, 8, 9, 13, 14, 15, 22, 23, 26, 33], {
    'created-status':
      'An operation that declares 200 and 201 returns 200. A profile can change this to 201. A response without ' +
      'content has the status 204.',
  }),
  ...about('document 1', [4, 15, 22, 33, 30, 36, 34, 26], {
    'required-bodies':
      'The body (operations 4, 15, 22, 33), `zipCode` (operations 30, 36), `srid` (operation 34), and the file and ' +
      'request (operation 26) are required. The document declares them as optional.',
  }),
  ...about('document 1', [3], {
    'cti-token': 'A CTI token has 48 letters and digits and is valid for 3600 seconds. Each request creates a new one.',
  }),
  ...about('document 1', [4, 22], {
    feedback: 'Feedback requires a rating of 1 to 5, and a comment of 1 to 2000 characters after trimming.',
  }),
  ...about('document 1', [32, 36], {
    'nearest-reply':
      'Operation 36 returns `distance` in miles. Operation 32 returns `{"exist": true}` or `{"exist": false}`.',
  }),
  ...about('document 1', [31, 33, 34], {
    'kept-ids': 'The server stores the last `remoteId` and `sc4uObjectId` of a request. Operation 34 returns them.',
  }),
  ...about('document 1', [6], {
    'customer-search':
      'Operation 6 returns the matching customer with the lowest `bpNo`, and the number of matches in ' +
      '`x-total-count`. Without a match, the response is 404.',
    'customer-matching':
      'Names match only in full, ignoring case. Phone numbers are compared as E.164. A ZIP code of five digits also ' +
      'matches ZIP codes of 5+4 digits.',
    'no-customer-list': 'No operation lists all customers, because operation 6 is declared to return one customer.',
  }),
  ...about('document 1', [6, 17, 19], {
    'impossible-filters': 'A filter value that no record can have matches nothing, because no 400 is declared.',
  }),
  ...about('document 1', [7, 13], {
    'address-check':
      'The state must match the ZIP code of an address. A profile can also check the city (`city`) or nothing ' +
      '(`off`). Errors refer only to fields that the request contains.',
  }),
  ...about('document 1', [13], {
    'customer-edit':
      'Absent fields do not change. Null or an empty string removes `address2` or `mobilePhone`. In other fields, ' +
      'these values return 400.',
  }),
  ...about('document 1', [11, 12, 13, 14], {
    'customer-number': 'A `bpNo` other than the one in the path returns 404. Operation 14 does not require `bpNo`.',
  }),
  ...about('document 1', [11, 12], {
    'product-search':
      'Operation 11 returns the matching product that was registered last. Operation 12 returns the 100 that were ' +
      'registered last. Unknown filter values match nothing.',
  }),
  ...about('document 1', [14], {
    'product-renewal':
      'Registering the same model, serial number and service type again keeps `productId` and updates `registeredAt`.',
    'product-registration':
      'An unknown model returns 404. A device of another model returns 400. A device of another customer returns ' +
      '400 `ConflictError`.',
  }),
  ...about('document 1', [8, 14, 15], { 'purchase-date': 'A purchase date is from 1970-01-01 to today (UTC).' }),
  ...about('document 1', [15], {
    disputes:
      'A dispute is a service request of type `DS` without an appointment. A second open dispute for a product ' +
      'returns 400 `ConflictError`.',
    receipts:
      "A receipt must belong to the company, or be the `imageId` of an image of one of the company's tickets. Any " +
      'other value returns 404.',
    'dispute-end': 'Completing a dispute writes the claimed date to the registration. Cancelling it changes nothing.',
  }),
  ...about('document 1', [17], {
    'store-list':
      'With `pagination=true`, `pageNo` or `size`, the response has one page. Without them, it has up to `page-max` ' +
      'stores. Unknown names in `fields` are ignored.',
  }),
  ...about('document 1', [19], {
    'ticket-category':
      '`subCategory` is the category of the model, by ID or name. An unknown category matches nothing.',
  }),
  ...about('document 1', [9, 10, 19, 20], {
    'other-kind-of-request':
      'Operations 9, 10, 19 and 20 do not find in-store requests (`CI`). Operations 31 and 34 find only in-store ' +
      'requests.',
  }),
  ...about('document 1', [10], {
    'no-open-ticket': 'A ticket that is closed, unknown or belongs to another company returns 204.',
  }),
  ...about('document 1', [8], {
    'ticket-references':
      'An unknown model, center or customer returns 404. A symptom, center or store that does not belong to the ' +
      'product or company returns 400.',
    'ticket-product':
      'The product need not be registered. Its device is checked as in operation 14. The warranty is calculated from ' +
      'the registration or, if there is none, from `purchaseDate`.',
    'out-of-warranty':
      'If a center does not accept out-of-warranty work, a product that is known to be out of warranty is ' +
      'rejected with 400.',
  }),
  ...about('document 1', [9], {
    'reschedule-out-of-warranty':
      'Rescheduling returns 400 if the warranty of the product has expired by now and the center does not accept ' +
      'out-of-warranty work.',
    reschedule:
      'A ticket can be rescheduled before its appointment starts or after it was missed. Otherwise the response ' +
      'is 400 `ConflictError`.',
  }),
  ...about('document 1', [8, 9], {
    'ticket-fields':
      'The OpenAPI file lists the required fields of a ticket. `timeSlot` is a `slotId` from operation 16.',
    'ticket-windows': 'A ticket can book only windows in the 14 days that operation 16 lists.',
  }),
  ...about('document 1', [9, 10, 31, 33], {
    missed: 'An appointment that ends unconfirmed counts as missed. Its request stays open for 24 more hours.',
  }),
  ...about('document 1', [9, 10, 19, 20, 31, 33, 34, 35], {
    'missed-closes-after': 'A request is closed as E0003 NO_SHOW 24 hours after the end of its missed appointment.',
  }),
  ...about('document 1', [8, 9, 16, 25, 33, 37], {
    'lead-time': 'Slots in the past and slots that start within an hour are not offered.',
  }),
  ...about('document 1', [8, 9, 33], {
    'booking-overlap':
      'A user or customer cannot have two overlapping bookings. If a slot is full and overlaps with a booking, the ' +
      'error reports only that it is full.',
    'slot-unavailable': 'A slot that is full or does not exist returns 400 `SlotUnavailable`.',
  }),
  ...about('document 1', [16, 25], {
    'in-home-days':
      'The schedule lists the AM and PM windows of 14 days, including full windows. They are the windows of the ' +
      'nearest center that visits the ZIP code and repairs the product.',
    'schedule-defaults':
      'The default `zipCode` is 07660, and the default `modelCode` is VM-TV55. `ascCode` selects a center.',
    'schedule-subtype': '`subType` must match the model. Without a `modelCode`, `subType` selects the product.',
    'schedule-centers':
      'The `inHome` record of the center must allow the `type` and, if `inWarranty` is false, out-of-warranty work.',
    'own-windows':
      'If `isReschedule` is true, a full window counts as available if the caller has a booking in it. ' +
      '`ownRequests` then lists that booking.',
  }),
  ...about('document 1', [16, 25, 36, 37], {
    'zip-digits': 'If a ZIP code has 5+4 digits, only the first five digits count.',
  }),
  ...about('document 1', [30], {
    'zip-plus-four': 'A ZIP code of 5+4 digits returns 400. A profile can accept it (`accepted`).',
    'zip-codes':
      'The server contains about 41,500 US ZIP codes from GeoNames. Any other value returns 404. `county` may be ' +
      'empty in the US territories.',
  }),
  ...about('document 1', [37], {
    'slot-window':
      'By default, the window starts today in the time zone of the center. It includes its first and last day, and ' +
      'ends no later than the last bookable day.',
    'slot-center': 'A center that is unknown or has another `ascType` returns 404. Only WALKIN centers have slots.',
    'slot-parameters':
      '`symptoms` and `zipCode` have no effect. With `unusable-values: reject`, their values must exist, and the ' +
      'window has at most 31 days.',
  }),
  ...about('document 1', [33, 37], {
    'in-store-days':
      'In-store appointments are possible for 60 days. Later days have no slots, and operation 33 rejects them ' +
      'with 400.',
  }),
  ...about('document 1', [8, 9, 16, 17, 25, 33, 37], {
    holidays:
      'Centers and stores are closed on the federal holidays of 5 U.S.C. 6103. Operation 17 lists them in ' +
      '`closedDates`.',
  }),
  ...about('document 1', [33], {
    'in-store-fields': 'An in-store request that has neither `modelCode` nor `taxonomyCode` returns 400.',
    'in-store-product':
      'The center must accept the product at the counter, and model, taxonomy code, symptoms and device ID must ' +
      'agree. Otherwise the response is 400.',
    'in-store-references':
      'An unknown model, taxonomy code, center or user returns 404. An unknown symptom or ZIP code returns 400.',
    'open-request':
      'A request is open while its status is E0001 or E0002. It is unregistered if no product of the user has its ' +
      'model, serial number and IMEI.',
  }),
  ...about('document 1', [31], {
    'cancel-nothing':
      'A request that is unknown or belongs to another user returns 404. A profile can change this to 204.',
  }),
  ...about('document 1', [34], {
    'no-in-store-request': 'A request that is unknown or belongs to another user returns 204.',
  }),
  ...about('document 1', [36], {
    'nearest-center':
      'A missing `zipCode` returns 400. The response is 404 if the ZIP code is not in use, the model is unknown, or ' +
      'no center is suitable.',
  }),
  ...about('document 1', [38], {
    'bespoke-symptoms':
      '`bespoke` selects the list: Y for bespoke products, any other value for other products. Without it, the ' +
      'product line of the model selects the list.',
  }),
  ...about('document 1', [39, 40, 41], {
    taxonomies:
      'Operation 39 returns one level of children, operation 40 the entire tree. Operation 41 returns an empty list ' +
      'if no articles exist.',
  }),
  ...about('document 1', [35], {
    'cancel-key-place': 'The cancel key is only in the email about the request. The outbox contains this email.',
    'cancel-page':
      'The link in the email opens a page with a button for operation 35. Opening the link cancels nothing, because ' +
      'mail scanners open links.',
    'cancel-key':
      'The cancel key has 24 letters and digits and can be used once. It has no effect during the appointment.',
  }),
  ...about('document 1', [26], {
    'image-request':
      '`srid` or `ticketNumber` selects the request of an upload. If both are sent, they must agree. An unknown ' +
      'value returns 404.',
    'image-size': 'An image has fewer than 5,000,000 bytes.',
    'image-format': 'The content of an image determines its format, which is checked before the request is looked up.',
    'image-owners': 'Every caller with the ID of a request can upload to it. A world can have at most 10,000 images.',
    'image-closed-request': 'A closed request also accepts images.',
    'image-refused': 'A rejected upload stores no bytes.',
    'image-form':
      'A form has exactly one part named `imageFile`, which is not empty. More than 100 parts or 6 MB return 400.',
  }),
  ...about('document 1', [8, 14, 23, 24, 33], {
    'device-id-form':
      'A device ID is an IMEI of 15 digits with its check digit, or a serial number of 11 or 15 characters `A-Z 0-9`.',
  }),
  ...about('document 1', [8, 14, 23, 33], {
    'imei-products':
      'Only phones, tablets and watches have an IMEI. An IMEI of another product returns `valid: false` in ' +
      'operation 23 and 400 in other operations.',
  }),
  ...about('document 1', [23, 24], {
    'device-id-wrong-form':
      'A malformed device ID returns `valid: false` with a `reason` in operation 23, and counts as unknown in ' +
      'operation 24.',
    'device-owner':
      'In operation 23, `prof_id` must be a valid identity and `email` a valid address. Otherwise the response is ' +
      '400. Operation 24 ignores `email`.',
    'no-device-id':
      'Operation 24 without a device ID returns 405, because its path without an ID is the path of operation 23.',
    'device-warranty':
      'The warranty is calculated from the registration or, if there is none, from the sale. If there is no sale ' +
      'either, `warrantyEndDate` is null.',
  }),
  ...about('document 1', [23], {
    'origin-device':
      '`originPrdId` is the previously validated device. If it has another model or another customer than `prdId`, ' +
      'the response has `valid: false`.',
    'unknown-device': 'For an unknown device of a known model, the response has `valid: true` and `known: false`.',
    'device-model': 'An unknown model, or a device of another model, returns 200 with `valid: false`.',
  }),
  ...about('document 1', [28], {
    colors: 'Without a model, all models with colors are listed. A malformed or unknown model returns 404.',
  }),
  ...about('document 1', [18, 27], {
    'symptom-levels':
      'The response has the first level that is not in the request. An unknown code returns 404. If the language is ' +
      'unknown, the texts are in English.',
  }),
  ...about('document 1', [21, 29], {
    'guide-choice':
      'The guide belongs to `symCode3`, to all symptoms below `symCode1` or `symCode2`, or, without a symptom ' +
      'code, to the model.',
    'guide-branches': 'Symptom codes can skip a level. Codes of different branches return 404.',
    'guide-level-four':
      '`symCode4` is checked and tracked like the other codes. Without other codes, it selects the guide of its ' +
      'parent symptom.',
    'guide-form': 'A guide is a JSON string, or plain text or HTML if `Accept` prefers it.',
    'guide-tracking':
      'Each request with `srid` and `symCode3` adds one entry to `articleTrackings`. The `srid` is not checked.',
  }),
  ...about('document 2', [], {
    'subscription-paths':
      'Subscriptions are available under `/subscriptions`, `/v1/subscriptions` and `/v1/sse/subscriptions`.',
    'subscription-fields':
      'A subscription has 1 to 100 filters with 1 to 1,000 values each. The default of `name` is `subscription`, and ' +
      'the default of `version` is 1.',
    'subscription-narrowing':
      '`eventType`, `capability`, `attribute` and `component` restrict a filter. An absent capability, attribute or ' +
      'component matches any value. An absent `eventType` means `DEVICE_EVENT`.',
    'subscription-scopes': 'Each of the four filter types requires its own scope. A missing scope returns 403.',
    'subscription-ids': 'A filter ID that is unknown or outside the locations of the token returns 403.',
    'uuid-case': 'UUIDs are case-insensitive and returned in lower case.',
    'subscription-locations': 'A subscription covers the locations of the token that last created or replaced it.',
    'subscription-statuses':
      'A subscription that is unknown or belongs to another user returns 404. A missing or invalid token returns ' +
      '401. DELETE returns 204.',
    'subscription-replacement':
      'PUT replaces the filters. It also replaces the name and version if they are sent. An open stream uses the ' +
      'new filters immediately. The token of the request becomes the token of the subscription.',
    'subscription-ttl':
      'With `SUBSCRIPTION_TTL`, a subscription without a stream expires after this number of seconds (world clock).',
    'registration-url':
      '`registrationUrl` is `/filters/{subscriptionId}/activate?filterRegion=local&key=...`. The key is an HMAC of ' +
      'the ID.',
    'stream-access':
      "The owner's bearer token or the key opens a stream. All other requests are rejected with 401, 403 or 404.",
    'stream-key-owner':
      'A stream that is opened by its key belongs to the token that the subscription has at that time. It ends at ' +
      'most one second after this token expires or is revoked.',
    'stream-framing':
      'stream.yaml describes the frames. In each frame, `id:` is the last line. A heartbeat is one line. Pages of ' +
      'any origin can read the stream.',
    'event-ids': 'An event ID is `{generation}-{sequence}`. Each connection increments the generation.',
    'one-stream':
      'A new connection to a subscription replaces the previous one. A connection to another subscription of the ' +
      'same user and token returns 409 `ConflictError`.',
    'control-events': 'The control events are `welcome`, `gap` and, when the subscription is deleted, `goodbye`.',
    resume:
      'A client can resume with `Last-Event-ID` or `lastEventId` within 1,000 events and 10 minutes (world clock). ' +
      'If events were lost, the client gets a `gap` event.',
    'device-event-fields':
      "Besides the document's fields, device events have `ownerId`, `ownerType`, `commandId`, `sensitive` and `unit`.",
    'slow-readers': 'A stream is closed if 1 MiB of live events waits for its client.',
    'stream-limits':
      'A stream beyond `MAX_STREAMS` returns 429 `LimitExceeded`. A stream request that is pipelined after another ' +
      'request returns 400.',
    'far-clock':
      'If the clock moves far ahead at once, only about the last 10,000 scenario steps and one simulation step run.',
    'wallet-lengths': '`partnerCode` has up to 32 characters, `modelName` up to 64.',
    'wallet-country':
      'The optional query parameter `countryCode` is an ISO 3166 alpha-2 code in capitals and has no other effect.',
    'wallet-order':
      'Checks run in this order: missing parameter, length, value, unknown partner, country. An error names all ' +
      'parameters that fail the same check.',
    'signing-requests':
      'Fields of a signing request have the maximum lengths of X.520. The country is an ISO 3166 code. Each field ' +
      'except the unit occurs once.',
    'wallet-http-errors': 'HTTP errors below `/wallet` keep their status and have the code CMN5N9001.',
    'wallet-content-type': 'The content type is exactly `application/json;charset=UTF-8`.',
    'card-check':
      '`POST /_control/wallet/check` and `vendor-cloud wallet check-card` report all errors and warnings of a card.',
    'card-required':
      'A card requires `serialType`. Unless it is NONE, `ptFormat` and `value` are required. Barcodes also ' +
      'require `ptSubFormat`.',
    'card-fields':
      'Invalid JSON, a number out of range and a list that is too long are errors. An unknown field is a warning.',
    'card-stand-alone': 'UPC_EAN_EXTENSION is allowed only with dual barcodes.',
    'card-value': 'A barcode value must match its format in check digits, length, characters and capacity.',
    'card-warnings':
      'Unusual pairs of `serialType` and format, locations of more than 1,024 characters, and long content are ' +
      'warnings.',
  }),
  ...about('document 2', ['createSubscription'], {
    'subscription-limit':
      'A user can have any number of subscriptions by default. A profile can set a limit. A subscription over the ' +
      'limit returns 409 `LimitExceeded`.',
  }),
  ...about('document 2', ['stream'], {
    'stream-lifetime':
      'A stream ends when its token expires or its client disconnects. A profile can limit its duration.',
  }),
  ...about('document 3', [], {
    'billing-namespace':
      'The namespace is `http://ws.iap.vendor.com/` or the value of `BILLING_NAMESPACE`, with any prefix.',
    wsdl:
      '`?wsdl` returns the WSDL (document/literal wrapped, SOAP 1.1) with its schema. `?xsd=1` returns only the ' +
      'schema.',
    'soap-clients':
      'PHP SoapClient, zeep, suds, JAX-WS, Axis, gSOAP, .NET, SOAP::Lite and node `soap` work unmodified.',
    'soap-order': 'Response elements are in schema order. An ACTIVE subscription has no cancellation elements.',
    'soap-charset':
      'The charset is UTF-8 (also for ASCII) or UTF-16, detected by byte order mark, `charset`, first bytes and XML ' +
      'declaration, in this order.',
    'soap-faults':
      'Faults have HTTP status 500. A `soap:Server` fault has `errorCode` and `errorMessage`. Invalid SOAP causes a ' +
      '`soap:Client` fault.',
    'soap-http-errors':
      'HTTP errors have a short plain-text body, for example 404 (unknown world), 405, 413 (body over 64 KiB) and 415.',
    'service-tokens':
      'A service token has 96 characters `A-Z a-z 0-9` and is valid for 30 days. Earlier tokens remain valid.',
    'soap-check-order':
      'Checks run in this order: missing input (error 10), invalid token (errors 300 and 301), unknown purchase ' +
      '(error 15).',
    'seller-secret':
      'A missing `secret` returns error 10, an unknown one error 300, and a value other than 1 to 12 digits error 15.',
    'soap-input-text': 'White space is part of a value. A repeated input or an input with elements returns error 15.',
    'purchase-lookup':
      'An unknown token returns error 300, and an expired one error 301. A purchase that is unknown or belongs to ' +
      'another seller returns error 15.',
    'soap-bounds':
      'DOCTYPE, processing instructions, undeclared prefixes, more than 32 levels, and more than 1,000 elements ' +
      'or attributes cause a Client fault.',
    'subscription-state':
      'The state of a subscription is calculated from its plan and the clock. A cancelled subscription remains ' +
      'valid until the end of the paid period. Cancelling it again returns 409.',
    'billing-periods': 'Periods follow the calendar from the day of purchase: 31 January, 28 February, 31 March.',
    'test-mode':
      'With `realMode` N, a purchase renews every 10 minutes, 12 times, and is then cancelled with reason 2.',
    prices: 'Prices have three decimals and are rounded half up. They are 0.000 in a free trial.',
    'continued-purchases':
      'If a purchase continues earlier ones, `subscriptionFirstPurchaseID` and `subscriptionFirstPaymentDate` are ' +
      'those of the earliest one.',
    'cancelled-trial': 'After a trial that was cancelled, `freeTrial` is N and `currentPaymentPlan` is R.',
    'latest-order-id':
      '`latestOrderId` has 19 characters, which are digits or capital letters. The purchase and each payment set a ' +
      'new one.',
    'billing-dates': 'Dates are `YYYY-MM-DD HH:mm:ss` in GMT. Responses have the headers `Deprecation` and `Sunset`.',
  }),
  ...about('control API', [], {
    'control-access':
      'If the server listens on loopback or has `CONTROL=open`, the control API accepts same-origin callers without ' +
      'a key, unless `CONTROL_KEY` is set. Otherwise, callers must send the key.',
    'control-refusals':
      'A missing object returns 404. A change to a state that was already reached returns 409. An unknown field ' +
      'name in a body returns 400.',
    'world-names':
      'An unknown world returns 404. A name that is already in use returns 409, as does a world beyond the ' +
      '10,000th. `expiresIn` counts real seconds.',
    'heavy-jobs':
      'At most two jobs (replays, diffs, snapshots and HAR archives) run at the same time. Up to 50 more wait. Any ' +
      'further job returns 429 with `Retry-After`.',
    forks: 'A fork copies records, images, clock, counters, outbox and seed, but not journal, faults and streams.',
    clock: 'The clock is between 2000-01-01 and 9000-12-31. `advance` moves it forward, and PUT sets any time.',
    snapshots:
      'A snapshot has at most 256 MiB. It contains no journal, streams or event history. An unknown collection, ' +
      'field or value in it returns 400.',
    restore: 'Restoring a snapshot also restores seed, counters and secret.',
    records:
      'A value that must be unique but belongs to another record returns 409. An unknown field or invalid value ' +
      'returns 400. References are not checked.',
    journal:
      'The journal has requests as they were received. It keeps at most 10,000 entries and about 64 MiB for each ' +
      'world and instance.',
    'journal-matching':
      'Query values match exactly, headers match if they contain the text, and body fields match at any depth. ' +
      '`*` in a path matches any text.',
    verify: 'A failed verification reports the closest entries and their differences.',
    'known-operations':
      'An unknown operation in a journal query, verification or fault returns 400. So does a journal query for a ' +
      'caller that is neither in the world nor in its journal.',
    'fault-words':
      'The response of a fault has the error message of the document for its status. The header ' +
      '`x-vendor-cloud-fault` has the name of the fault.',
    'fault-kind-status':
      'If a fault has a status below 400 and no body, the operation runs and the fault changes only the status.',
    faults:
      'Adding a fault that can never apply returns 400. Adding a fault beyond the 1,000th returns 409. A used ' +
      'fault stays listed with its number of hits.',
    variation: 'Variation is off by default and after a reset. Its default `seed` is the seed of the world.',
    examination:
      'The last result of `vendor-cloud examine` is kept in memory. If there is none, a request for it returns 404.',
    'emitted-events': 'In emitted events, an unknown capability, attribute or value returns 400 unless `force` is set.',
    scenarios: 'A scenario can have at most 1,000 steps. Each run of a repeating scenario must take at least 100 ms.',
    'no-content':
      'Requests that restore a snapshot, inject a stream fault, reset or delete return 204, except the clock reset.',
  }),
  ...about('storage', [], {
    engines: 'State is in memory, in `DATA_DIR` or in `DATABASE_URL`. Setting both is rejected.',
    'ended-worlds': 'If the world is deleted while a request is in progress, the request returns 404.',
    damage:
      'At startup, the server checks a data folder completely: the SQLite file, the checksum of each record and ' +
      'the digest of each image.',
    'crash-recovery': 'After a crash, the server rewrites the data file from its checked records.',
    'shared-events':
      'Events are stored with the change that caused them, up to 50,000 for each world and for at most 24 hours.',
    'shared-changes':
      'A request that changes worlds or clocks returns when other instances have the change, but within a second.',
  }),
  ...about('document 1', [], {
    'document 1, section 4, common request headers':
      '`request-source` is required. The web site sends `vendorus-profId` (the cookie takes precedence over the ' +
      'header), and `splus` and `voyager` send `vendorus-GUID`.',
    'document 1, section 7':
      'The message of a 404 is "not found". It is "schedule not found" in operations 16 and 25, "device not found" ' +
      'in operation 24, and "user not found" in operation 32.',
  }),
  ...about('document 1', [2], { 'document 1, operation 2': 'The query parameter `reasonId` is required.' }),
  ...about('document 1', [7], { 'document 1, operation 7': 'The body, a Customer, is required.' }),
  ...about('document 1', [8], { 'document 1, operation 8': 'The body, a DealerTicket, is required.' }),
  ...about('document 1', [9], { 'document 1, operation 9': 'The body, a DealerTicket, is required.' }),
  ...about('document 1', [13], { 'document 1, operation 13': 'The body, a Customer, is required.' }),
  ...about('document 1', [14], { 'document 1, operation 14': 'The body, a DealerProduct, is required.' }),
  ...about('document 1', [15], {
    'document 1, section 2':
      '`serial`, `modelCode`, `bpNo`, `receiptFileKey` and `purchaseDate` are required to submit a dispute.',
  }),
  ...about('document 1', [16, 25], {
    'document 1, operations 16 and 25':
      'An unknown ZIP code, model, `subType` or `ascCode`, or a combination without a center, returns 404 ' +
      '"schedule not found".',
    'document 1, section 4, schedule query':
      '`inWarranty` and `isReschedule` are booleans, and `type` is `PI` or `PII`.',
  }),
  ...about('document 1', [17], {
    'document 1, section 4, store list':
      '`pagination` is a boolean. `pageNo` and `size` are int32. All parameters are optional.',
  }),
  ...about('document 1', [18, 27], {
    'document 1, section 4, symptom tree, rule 1': 'A request without `subType` returns 400.',
  }),
  ...about('document 1', [19], {
    'document 1, section 4, ticket list':
      '`statusList` has values `E0001`, `E0002` and `E0003`. `offset` and `limit` are int32.',
  }),
  ...about('document 1', [21], { 'document 1, operation 21': 'The query parameter `modelCode` is required.' }),
  ...about('document 1', [23], {
    'document 1, operation 23': 'The query parameters `modelCode` and `prdId` are required.',
  }),
  ...about('document 1', [24], {
    'document 1, operation 24': 'An unknown or malformed device ID returns 404 "device not found".',
  }),
  ...about('document 1', [26], {
    'document 1, section 8':
      'A request has at most 4 symptom images. They are jpg, gif, bmp or png and smaller than 5 MB.',
  }),
  ...about('document 1', [29], { 'document 1, operation 29': 'The query parameter `modelCode` is required.' }),
  ...about('document 1', [30], {
    'document 1, operation 30': '`zipCode` is a US ZIP code of 5 digits. A value of another form returns 400.',
  }),
  ...about('document 1', [31], { 'document 1, operation 31': 'The query parameter `srid` is required.' }),
  ...about('document 1', [33], {
    'document 1, section 4, rule 2':
      'A user can have one open ticket for unregistered products, and must set `mobilePhone` if operation 32 finds ' +
      'no mobile number.',
  }),
  ...about('document 1', [35], { 'document 1, operation 35': 'The query parameters `srid` and `key` are required.' }),
  ...about('document 1', [37], {
    'document 1, operation 37': 'The query parameters `ascType` and `ascCode` are required.',
  }),
  ...about('document 1', [38], {
    'document 1, operation 38': '`bespoke` is `Y` for the bespoke product line and empty for other products.',
  }),
  ...about('document 2', [], {
    'document 2, section 2':
      'A subscription has `name`, `version` and filters with `value` and `type`: `SMARTAPPIDS`, `LOCATIONIDS`, ' +
      '`INSTALLEDSMARTAPPIDS` or `DEVICEIDS`.',
    'document 2, section 2, barcode display types': '`serialType` is one of the barcode display types.',
    'document 2, section 2, barcode display types and formats':
      '`serialType`, `ptFormat` and `ptSubFormat` have the values of the tables in the document.',
    'document 2, section 2, locations': 'Locations are a JSON array of at most 10 entries.',
    'document 2, section 2, additional information': 'Additional information is a JSON object.',
    'document 2, section 2, classification': 'Classification is a JSON object.',
    'document 2, section 4':
      'Requests that create or replace a subscription have a JSON body. The wallet requires the header ' +
      '`partnerCode` and the query parameters `modelName` and `serviceType` (`WALLET`).',
    'document 2, section 5, rule 1':
      'Subscription operations require an OAuth token in the header `Authorization: Bearer <ACCESS_TOKEN>`.',
    'document 2, section 5, rule 2':
      'Creating or updating a subscription requires token scopes that depend on the subscription types.',
    'document 2, section 5, rule 4':
      'The security factors are an RSA key of 2048 bits and a certificate signing request.',
    'document 2, section 7':
      'Codes: CMN1N1001 missing parameter, CMN1N1002 invalid parameter, CMN1N1003 invalid length, CMN2N2007 invalid ' +
      'country code.',
    'document 2, section 8': 'Each combination of user and token can have only one stream connection.',
  }),
  ...about('document 3', [], {
    'SOAP 1.1, section 4': 'A message is an envelope with at most one header, and one body with one known call.',
    'SOAP 1.1, section 4.2.3':
      'A header with `mustUnderstand` that the server does not know causes a MustUnderstand fault.',
    'SOAP 1.1, section 4.4.1': 'An envelope in another namespace causes a VersionMismatch fault.',
    'XML 1.0': 'A message that is not well-formed XML causes a Client fault.',
    'document 3, section 5, rule 3': 'A token is valid for 30 days.',
    'document 3, section 7':
      'Codes: 10 missing parameter, 15 invalid value, 300 invalid secret or token, 301 expired token.',
  }),
} as const

type RuleId = keyof typeof rules
type ChoiceId = Exclude<RuleId, `${'document' | 'SOAP' | 'XML'} ${string}`>
/** A citation of a rule, such as `document 1, operation 30` or `our choice: zip-plus-four`. */
export type Source = Exclude<RuleId, ChoiceId> | `our choice: ${ChoiceId}` | 'POST /_control/faults'

export const choices: readonly (Rule & { id: ChoiceId })[] = Object.keys(rules)
  .filter(isRule)
  .filter(isChoice)
  .map((id) => ({ id, ...(rules[id] as Rule) }))

export function findRule(source: string): (Rule & { id: string }) | undefined {
  const id = source.replace(/^our choice: /, '')
  return isRule(id) ? { id, ...(rules[id] as Rule) } : undefined
}

export function findSource(place: string): Source | undefined {
  return isRule(place) && !isChoice(place) ? place : undefined
}

function isRule(id: string): id is RuleId {
  return Object.hasOwn(rules, id)
}

function isChoice(id: RuleId): id is ChoiceId {
  return !id.includes(' ')
}

function about<const Id extends string>(
  document: Document,
  operations: Rule['operations'],
  sentences: Readonly<Record<Id, string>>,
): Readonly<Record<Id, Rule>> {
  const schemas: Readonly<Record<string, z.ZodDefault>> = choiceSchemas
  const made = Object.entries<string>(sentences).map(([id, sentence]): [string, Rule] => {
    const schema = Object.hasOwn(schemas, id) ? schemas[id] : undefined
    return [id, { sentence, document, operations, ...(schema && { schema }) }]
  })
  return Object.fromEntries(made) as Record<Id, Rule>
}
