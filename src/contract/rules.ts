import type * as z from 'zod'
import { choiceSchemas } from './records/control/choice-values.ts'

type Document = 'all documents' | 'documents 1 and 2' | `document ${1 | 2 | 3}` | 'control API' | 'storage'

export interface Rule {
  /** At most 25 words. */
  sentence: string
  document: Document
  /** Without numbers or names the rule concerns the whole document. */
  operations: readonly (number | string)[]
  /** Absent where a profile cannot set the rule, otherwise it has a default. */
  schema?: z.ZodDefault | undefined
}

/**
 * Every rule by its ID. An ID that starts with `document` is a place in a document, and all others are choices where the
 * documents leave something open. Errors cite them as `document 1, operation 30` and `our choice: zip-plus-four`.
 */
export const rules = {
  ...about('all documents', [], {
    'one-address': 'One process on one port serves all documents, at http://localhost:8080 by default.',
    'link-base':
      'Links start with `PUBLIC_URL`, or with protocol and host of the request, for which `TRUST_PROXY` accepts the last ' +
      'entry of `X-Forwarded-Proto` and `X-Forwarded-Host`.',
    'first-page':
      '`/` and `/openapi` return HTML to browsers and JSON to programs, and any origin can read `/openapi/*.json`.',
    'rate-limit':
      'A caller over its limit gets 429 with `Retry-After`, and the rejected calls do not count against the limit.',
    'cors-origins':
      'Pages of origins in `CORS_ORIGINS`, by default those on this machine, may call the documents, and read errors ' +
      'and faults, but not the control API.',
    challenges:
      'A 401 has `WWW-Authenticate` and a 407 `Proxy-Authenticate`: `Identity` for document 1 and `Bearer` elsewhere.',
    'rule-header': 'A response that has no `details` cites its rules in the header `x-vendor-cloud-rule`.',
    'unparsed-requests':
      'A request that is not valid HTTP gets the error form of its address, or a short text when no address is known yet.',
    'date-header': 'The header `Date` has the real time in every world.',
  }),
  ...about('documents 1 and 2', [], {
    'error-shape':
      'Errors are `{requestId, error: {code, message, details}}`, and details have `code`, `message`, `target`, `source` ' +
      'and `details`.',
    'all-findings':
      'A 400 lists up to 100 errors in path, query and body in `details`, and its message has their number and the first.',
    'request-ids':
      'An `x-request-id` of 1 to 64 of `A-Z a-z 0-9 . _ -` is kept, and any other is replaced by a counter.',
    'check-order':
      'Checks run in this order: request-source (400), identity (401), role (403), input (400), existence (404), rules ' +
      '(400).',
    'further-statuses':
      'Any operation may return 400, 404, 405 with `Allow`, 408, 417, 429, 431 or 500, and only 4, 22 and a closing ' +
      'server return 503.',
    'undeclared-statuses':
      'Document 1 returns 400 with a specific code where HTTP has 409, 413, 415 or 422, because it declares none of them.',
    'unknown-ids': 'An unknown reason, category or service center in a path or parameter is 404.',
    'foreign-is-unknown':
      'A record that belongs to another user or company gets the same 404 as one that does not exist.',
    'empty-values': 'An empty or null value counts as absent, and a required text of white space only is missing.',
    'required-fields': 'Required parameters and fields are those of the OpenAPI files, and a missing one is 400.',
    'field-forms': 'Types, formats, sizes and values are those of the OpenAPI files, and any other value is 400.',
    'unknown-fields': 'Unknown parameters and fields are ignored in the documents and are 400 in the control API.',
    paging:
      '`limit`, `size` and `pageNo` start at 1 and `offset` at 0, and numbers out of range are clamped on 17 and 19 and 400 ' +
      'elsewhere.',
    'repeated-parameters':
      'A repeated parameter that is not a list is 400, and so is a key `__proto__` or `constructor`.',
    'ignored-bodies': 'An operation without a body ignores the body, its content type and its encoding.',
    'content-types':
      'A body without a content type is JSON, and other types and content encodings are rejected: 400 in document 1, 415 ' +
      'elsewhere.',
    'header-count':
      'A request with 200 headers, or 16 KiB of them with its address, gets 431, and its connection is closed.',
    'json-bodies': 'A body that is not valid UTF-8 or not valid JSON is 400, whatever else is wrong.',
    'json-bounds': 'A JSON body has at most 1 MiB, 64 levels, 10,000 values and `maxItems` entries in each list.',
    'text-length': 'Text lengths count UTF-16 units, so an emoji counts as two.',
    formats: 'Dates are `YYYY-MM-DD`, timestamps are ISO 8601 with an offset, and phone numbers are stored as E.164.',
    'email-form': 'An email address follows the rule of HTML for email fields and may have letters of any script.',
    'bracket-lists': 'A parameter name with brackets, such as `statusList[]`, is an unknown name and ignored.',
  }),
  ...about('document 1', [2, 6, 11, 12, 16, 17, 19, 24, 25, 28, 37], {
    'unusable-values':
      'Where a row declares no 400, a malformed lookup is 404, a filter matches nothing, and sorting and paging fall back.',
  }),
  ...about('document 1', [17, 19], {
    'page-size': 'A page has 20 entries unless the client asks for another number.',
    'page-max': 'A page has at most 100 entries, and a larger `limit` or `size` is cut to that.',
    'empty-lists': 'A list without matches is 200 with an empty wrapper.',
    'list-sorting':
      'Any text, number or boolean of the response sorts, other fields are ignored, and operation 19 lists the newest ' +
      'ticket first.',
  }),
  ...about('document 1', [], {
    'base-path': 'Paths of document 1 work with and without its base path `/support-api/stg`.',
    'request-source-web':
      'The web site sends `vendor.com` as `request-source`, the apps `splus` or `voyager`, and anything else is 400.',
    'guest-identity':
      'Identity is required under `contact`, `customerFeedback`, `dealer` and `instore`, optional under `guest` and ' +
      '`cti/guest`, and ignored under `instore/noauth`.',
    'identity-kind':
      'The web site identifies users by `vendorus-profId`, cookie before header, and apps by `vendorus-GUID`.',
    'identity-headers':
      'An empty identity cookie counts as absent, quotes around it are removed, and different or repeated values are 400.',
    'identity-form': 'An identity has 1 to 512 printable characters of ASCII, and any other is 401, for guests too.',
    'session-lifetime': 'An identity is valid forever, unless a profile ends it some time after its first call.',
    'unknown-identity':
      'Without a profile, operations 32 and 33 return 404 and dealer operations 401, 31 and 34 find no record, and ' +
      'others work.',
    'dealer-company': 'A dealer operation needs a profile with a dealer company, and naming another company is 403.',
    'server-fields':
      'The server sets `bpNo`, `companyId`, `country` and dates of a customer, and `productId`, `category`, `subType`, ' +
      'warranty and `registeredAt` of a product.',
    wrappers:
      '`ResponseEntity.body` is the customer, and `ItemWrapper` has `items`, `totalCount`, `hasMore` and the paging that ' +
      'applied.',
    'service-request':
      'Responses repeat the fields that were sent, and operation 34 adds history, images and `statusReasonCode`.',
    'accepted-without-effect':
      '`sc4uObjectId` in the query of 34, 36 and 37, and `accessToken`, are accepted without effect.',
    warranty:
      'A warranty runs from the purchase date, or else the registration, for the months of the model, including its end ' +
      'date.',
    'malformed-srid':
      'A malformed `srid` is 400 where 400 is declared (26, 31, 34, 35) and otherwise counts as unknown.',
    'ticket-statuses':
      'E0001 is requested, E0002 is in process, and E0003 is closed as COMPLETED, CANCELLED, NO_SHOW or ' +
      'CANCELLED_BY_VENDOR.',
    'ticket-ids': '`srid` and `ticketNumber` have 10 digits each and are not sequential.',
    'confirmed-and-over':
      'A confirmed request is in process until it is completed, by the clock 24 hours after its appointment, and is never ' +
      'missed.',
    'ticket-progress':
      'Only the control API confirms a request, unless a profile lets the world clock move it (`auto`).',
    'previous-appointments': '`previousAppointments` have the status RESCHEDULED, and a missed one stays MISSED.',
    'daylight-saving':
      'A local start that does not exist is not a slot, and of one that occurs twice the first counts.',
  }),
  ...about('document 1', [3, 4, 7, 8, 9, 13, 14, 15, 22, 23, 26, 33], {
    'created-status': 'An operation that also declares 201 returns 200, or 204 when it has nothing to return.',
  }),
  ...about('document 1', [4, 15, 22, 33, 30, 36, 34, 26], {
    'required-bodies':
      'The body (4, 15, 22, 33), `zipCode` (30, 36), `srid` (34), file and name (26) are required although declared ' +
      'optional.',
  }),
  ...about('document 1', [3], {
    'cti-token': 'A CTI token has 48 letters and digits, is valid for 3600 seconds, and is new for each call.',
  }),
  ...about('document 1', [4, 22], {
    feedback: 'Feedback requires a rating of 1 to 5 and a comment of 1 to 2000 characters after trimming.',
  }),
  ...about('document 1', [32, 36], {
    'nearest-reply':
      'Operation 36 returns `distance` in miles, and operation 32 returns `{"exist": true}` or false as JSON.',
  }),
  ...about('document 1', [31, 33, 34], {
    'kept-ids': 'The last `remoteId` (31, 33) and `sc4uObjectId` (33) are stored, and operation 34 returns them.',
  }),
  ...about('document 1', [6], {
    'customer-search':
      'Operation 6 returns the matching customer with the lowest `bpNo` and the number of matches in `x-total-count`, or ' +
      '404.',
    'customer-matching':
      'Names match entirely and in any letter case, phone numbers as E.164, and five ZIP digits also find 5+4 codes.',
    'no-customer-list': 'There is no list of all customers, because operation 6 is declared to return one customer.',
  }),
  ...about('document 1', [6, 17, 19], {
    'impossible-filters': 'A filter value that no record can have matches nothing, because no 400 is declared.',
  }),
  ...about('document 1', [7, 13], {
    'address-check':
      'State and ZIP code of an address must agree, the city may have any name, and an error names a field that was sent.',
  }),
  ...about('document 1', [13], {
    'customer-edit':
      'An absent field stays, and null or an empty text clears `address2` and `mobilePhone` but is 400 for other fields.',
  }),
  ...about('document 1', [11, 12, 13, 14], {
    'customer-number': 'A `bpNo` that differs from the path is 404, and operation 14 does not require it.',
  }),
  ...about('document 1', [11, 12], {
    'product-search':
      'Operation 11 returns the product registered last, operation 12 the first 100, and unknown filter values match ' +
      'nothing.',
  }),
  ...about('document 1', [14], {
    'product-renewal':
      'Registering the same model, serial number and service type again keeps `productId` and renews `registeredAt`.',
    'product-registration':
      "An unknown model is 404, a device of another model is 400, and another customer's device is 400 `ConflictError`.",
  }),
  ...about('document 1', [8, 14, 15], { 'purchase-date': 'A purchase date is from 1970-01-01 to today in UTC.' }),
  ...about('document 1', [15], {
    disputes:
      'A dispute is a request of type `DS` without an appointment, and a second open one for a product is 400 ' +
      '`ConflictError`.',
    receipts: 'A receipt belongs to the company or is the `imageId` of an image of its ticket, and any other is 404.',
    'dispute-end':
      'Completing a dispute writes the claimed date to the registration, and cancelling it changes nothing.',
  }),
  ...about('document 1', [17], {
    'store-list':
      'A page is listed with `pagination=true`, `pageNo` or `size`, else up to `page-max`, and unknown names in `fields` ' +
      'are ignored.',
  }),
  ...about('document 1', [19], {
    'ticket-category': '`subCategory` is the category of the model, by ID or name, and an unknown one matches nothing.',
  }),
  ...about('document 1', [9, 10, 19, 20], {
    'other-kind-of-request': 'In-store requests (`CI`) are unknown to 9, 10, 19 and 20, and all others to 31 and 34.',
  }),
  ...about('document 1', [8], {
    'ticket-references':
      'An unknown model, center or customer is 404, and a symptom, center or store that does not fit is 400.',
    'ticket-product':
      'The product need not be registered, but its device is checked as on 14, and warranty follows from registration or ' +
      '`purchaseDate`.',
    'out-of-warranty':
      'A center that takes no work out of warranty rejects a product whose warranty is known to be over with 400.',
  }),
  ...about('document 1', [9], {
    'reschedule-out-of-warranty':
      'Rescheduling is 400 when the product is out of warranty by now and the center takes no such work.',
    reschedule:
      'A ticket can be rescheduled before its appointment starts or after it was missed, and otherwise is 400 ' +
      '`ConflictError`.',
  }),
  ...about('document 1', [8, 9], {
    'ticket-fields':
      'Required fields of a ticket are those of support.yaml, and `timeSlot` is a `slotId` of operation 16.',
    'ticket-windows': 'A ticket books a window of the 14 days that operation 16 lists, and any other does not exist.',
  }),
  ...about('document 1', [9, 10, 31, 33], {
    missed: 'An appointment that ends unconfirmed is missed, and its request stays open for 24 hours more.',
  }),
  ...about('document 1', [9, 10, 19, 20, 31, 33, 34, 35], {
    'missed-closes-after': 'A request is closed as E0003 NO_SHOW 24 hours after its missed appointment.',
  }),
  ...about('document 1', [8, 9, 16, 25, 33, 37], {
    'lead-time': 'Slots that are past or start within an hour are not offered.',
  }),
  ...about('document 1', [8, 9, 33], {
    'booking-overlap':
      'A user or customer cannot have two overlapping bookings, and a full slot is reported before an overlap.',
    'slot-unavailable': 'A slot that is full or does not exist is 400 `SlotUnavailable`.',
  }),
  ...about('document 1', [16, 25], {
    'in-home-days':
      'The schedule lists AM and PM windows of 14 days at the nearest center for ZIP code and product, full ones too.',
    'schedule-defaults':
      'The default `zipCode` is 07660, the default `modelCode` is VM-TV55, and `ascCode` selects a center.',
    'schedule-subtype': '`subType` must be that of the model, and without a model it is the product.',
    'schedule-centers': '`type` and `inWarranty` select centers by their `inHome` record.',
    'own-windows':
      'With `isReschedule`, a full window in which the caller has a booking is available and lists it in `ownRequests`.',
  }),
  ...about('document 1', [16, 25, 36, 37], {
    'zip-digits': 'A ZIP code of 5+4 digits counts by its first five digits.',
  }),
  ...about('document 1', [30], {
    'zip-plus-four': 'A ZIP code of 5+4 digits is 400.',
    'zip-codes':
      'About 41,500 US ZIP codes (GeoNames) are in use, `county` may be empty in the territories, and any other is 404.',
  }),
  ...about('document 1', [37], {
    'slot-window':
      'The window starts today in the time zone of the center, includes both ends, and is cut at the last bookable day.',
    'slot-center': 'A center that is unknown or of another `ascType` is 404, and only WALKIN centers have slots.',
    'slot-parameters':
      '`symptoms` and `zipCode` have no effect, but are checked where `unusable-values` is `reject`, and so are 31 days.',
  }),
  ...about('document 1', [33, 37], {
    'in-store-days': 'In-store appointments are possible for 60 days, and later days have no slots and are 400 on 33.',
  }),
  ...about('document 1', [8, 9, 16, 17, 25, 33, 37], {
    holidays:
      'Centers and stores are closed on the federal holidays of 5 U.S.C. 6103, and operation 17 lists them in ' +
      '`closedDates`.',
  }),
  ...about('document 1', [33], {
    'in-store-fields': 'An in-store request needs `modelCode` or `taxonomyCode`, and one without both is 400.',
    'in-store-product':
      'The center must take the product over the counter, and model, taxonomy code, symptoms and device ID must agree, ' +
      'or 400.',
    'in-store-references':
      'An unknown model, taxonomy code, center or user is 404, and an unknown symptom or ZIP code is 400.',
    'open-request':
      'A request is open while E0001 or E0002, and unregistered when no product of the user has its model, serial number ' +
      'and IMEI.',
  }),
  ...about('document 1', [31], {
    'cancel-nothing': "A request that is unknown or another user's is 404.",
  }),
  ...about('document 1', [34], {
    'no-in-store-request': "A request that is unknown or another user's is 204.",
  }),
  ...about('document 1', [36], {
    'nearest-center':
      'A missing `zipCode` is 400, and a ZIP code not in use, an unknown model or the lack of a center is 404.',
  }),
  ...about('document 1', [38], {
    'bespoke-symptoms':
      '`bespoke` decides where it is sent, Y or anything else, and otherwise the line of the model does.',
  }),
  ...about('document 1', [39, 40, 41], {
    taxonomies:
      'Operation 39 returns one level of children, 40 the entire tree, and 41 an empty list where there are no articles.',
  }),
  ...about('document 1', [35], {
    'cancel-key-place': 'The key is only in the email of the request, which the outbox has.',
    'cancel-page': 'The link opens a page whose button sends operation 35, because mail scanners open links.',
    'cancel-key':
      'The key has 24 letters and digits, cancels once, and has no effect while the appointment is under way.',
  }),
  ...about('document 1', [26], {
    'image-request':
      'An upload names its request by `srid` or `ticketNumber`, which must agree when both are sent, and an unknown one ' +
      'is 404.',
    'image-size': 'An image has fewer than 5,000,000 bytes.',
    'image-format': 'The content of an image determines its format, before the request is looked up.',
    'image-owners':
      'Anybody who can name a request may upload to it, whatever the identity, up to 10,000 images in a world.',
    'image-closed-request': 'A closed request accepts images too.',
    'image-refused': 'A rejected upload stores no bytes.',
    'image-form':
      'A form has exactly one part named `imageFile`, which is not empty, and over 100 parts or 6 MB are 400.',
  }),
  ...about('document 1', [8, 14, 23, 24, 33], {
    'device-id-form':
      'A device ID is an IMEI of 15 digits with its check digit, or a serial number of 11 or 15 of `A-Z 0-9`.',
  }),
  ...about('document 1', [8, 14, 23, 33], {
    'imei-products':
      'Only phones, tablets and watches have an IMEI, and with other products it is `valid: false` on 23 and 400 ' +
      'elsewhere.',
  }),
  ...about('document 1', [23, 24], {
    'device-id-wrong-form': 'A malformed device ID is `valid: false` with a `reason` on 23, and unknown on 24.',
    'device-owner':
      '`prof_id` has the form of an identity and `email` that of an address, or 23 is 400, and 24 ignores `email`.',
    'no-device-id': 'Operation 24 without a device ID is 405, because its address is that of 23.',
    'device-warranty':
      'The warranty runs from the registration or else the sale, and before it `warrantyEndDate` is null.',
  }),
  ...about('document 1', [23], {
    'origin-device':
      '`originPrdId` is the device that was validated before, and one of another model or customer is `valid: false`.',
    'unknown-device': 'An unknown device of a known model is `valid: true` with `known: false`.',
    'device-model': 'An unknown model, or a device of another model, is 200 with `valid: false`.',
  }),
  ...about('document 1', [28], {
    colors: 'Without a model all models with colors are listed, and a malformed or unknown one is 404.',
  }),
  ...about('document 1', [18, 27], {
    'symptom-levels':
      'The response has the first level that is not given, an unknown code is 404, and an unknown language is English.',
  }),
  ...about('document 1', [21, 29], {
    'guide-choice':
      'The guide is that of `symCode3`, of each symptom below `symCode1` or `symCode2`, or else of the model.',
    'guide-branches': 'Symptom codes may skip a level and must be of one branch, or the response is 404.',
    'guide-level-four':
      '`symCode4` is checked and tracked like the others, and alone it selects the guide of the symptom above it.',
    'guide-form': 'A guide is a JSON string, or plain text or HTML when `Accept` prefers it.',
    'guide-tracking': 'Each call with `srid` and `symCode3` adds one entry to `articleTrackings`, whatever the `srid`.',
  }),
  ...about('document 2', [], {
    'subscription-paths':
      'Subscriptions are served under `/subscriptions`, `/v1/subscriptions` and `/v1/sse/subscriptions`.',
    'subscription-fields':
      'A subscription has 1 to 100 filters of 1 to 1,000 values, and `name` and `version` default to `subscription` and 1.',
    'subscription-narrowing':
      'A filter narrows by `eventType`, `capability`, `attribute` and `component`, and an absent one matches anything.',
    'subscription-scopes': 'Each of the four filter types needs its own scope, and a missing one is 403.',
    'subscription-ids': "An ID that is unknown or outside the token's locations is 403.",
    'uuid-case': 'UUIDs are compared without regard to case and returned in lower case.',
    'subscription-locations': 'A subscription covers the locations of the token that created or replaced it last.',
    'subscription-statuses':
      "A subscription that is unknown or another user's is 404, a missing or invalid token is 401, and DELETE is 204.",
    'subscription-replacement':
      'PUT replaces the filters, and name and version when given, and a live stream follows at once.',
    'subscription-ttl':
      'With `SUBSCRIPTION_TTL`, a subscription without a stream expires after that many seconds of world time.',
    'registration-url':
      '`registrationUrl` is `/filters/{subscriptionId}/activate?filterRegion=local&key=...`, where the key is an HMAC of ' +
      'the ID.',
    'stream-access': "The owner's bearer token or the key opens a stream, and anything else is 401, 403 or 404.",
    'stream-key-owner':
      'A stream opened by its key counts for the token that created it and ends within a second of it.',
    'stream-framing':
      'Frames are those of stream.yaml, `id:` comes last, a heartbeat is one line, and any origin may read them.',
    'event-ids': 'An event ID is `{generation}-{sequence}`, and the generation grows with each connection.',
    'one-stream':
      'A new connection to a subscription replaces the old one, and a stream of another subscription is 409 ' +
      '`ConflictError`.',
    'control-events': 'Control events are `welcome`, `gap`, and `goodbye` at DELETE.',
    resume:
      '`Last-Event-ID` or `lastEventId` resumes within 1,000 events or 10 minutes of world time, and `gap` reports a loss.',
    'device-event-fields': 'Device events also have `ownerId`, `ownerType`, `commandId`, `sensitive` and `unit`.',
    'slow-readers': 'A stream is closed when 1 MiB of live events waits for its client.',
    'stream-limits':
      'More than `MAX_STREAMS` streams are 429 `LimitExceeded`, and a stream pipelined after another request is 400.',
    'far-clock':
      'A large clock move plays about the last 10,000 steps of the scenarios and one step of the simulation.',
    'wallet-lengths': '`partnerCode` has up to 32 characters and `modelName` up to 64.',
    'wallet-country':
      'The optional query `countryCode` is an ISO 3166 alpha-2 code in capitals and has no other effect.',
    'wallet-order':
      'Checks run in the order missing, length, value, unknown partner, country, and each names all its parameters.',
    'signing-requests':
      'Lengths in a signing request are those of X.520, the country is of ISO 3166, and each field but the unit occurs ' +
      'once.',
    'wallet-http-errors': 'HTTP errors below `/wallet` keep their status and have the code CMN5N9001.',
    'wallet-content-type': 'The content type is exactly `application/json;charset=UTF-8`.',
    'card-check':
      '`POST /_control/wallet/check` and `vendor-cloud wallet check-card` report all errors and warnings of a card.',
    'card-required':
      'A card requires `serialType`, and unless that is NONE also `ptFormat` and `value`, and `ptSubFormat` for barcodes.',
    'card-fields':
      'A part that is not JSON, a number out of range or a list too long is an error, and an unknown field a warning.',
    'card-stand-alone': 'UPC_EAN_EXTENSION is allowed with dual barcodes only.',
    'card-value': 'A barcode value fits its format in check digits, counts, characters and capacity.',
    'card-warnings':
      'Unusual pairs of `serialType` and format, over 1,024 characters of locations, and long content are warnings.',
  }),
  ...about('document 2', ['createSubscription'], {
    'subscription-limit':
      'A user may have any number of subscriptions, and more than a profile allows are 409 `LimitExceeded`.',
  }),
  ...about('document 2', ['stream'], {
    'stream-lifetime':
      'A stream lasts as long as its token and client, unless a profile ends it some time after its start.',
  }),
  ...about('document 3', [], {
    'billing-namespace': 'The namespace is `http://ws.iap.vendor.com/` or `BILLING_NAMESPACE`, with any prefix.',
    wsdl: '`?wsdl` returns the WSDL of document/literal wrapped SOAP 1.1 with its schema, which `?xsd=1` returns alone.',
    'soap-clients':
      'PHP SoapClient, zeep, suds, JAX-WS, Axis, gSOAP, .NET, SOAP::Lite and node `soap` work unmodified.',
    'soap-order': 'Response elements are in schema order, and the cancellation elements are absent while ACTIVE.',
    'soap-charset':
      'The charset is UTF-8 (also for ASCII) or UTF-16, by byte order mark, `charset`, first bytes and XML declaration ' +
      'in this order.',
    'soap-faults':
      'Faults are HTTP 500: `soap:Server` with `errorCode` and `errorMessage`, or `soap:Client` for what is not a SOAP ' +
      'call.',
    'soap-http-errors':
      'Errors of HTTP, such as 405, 413 over 64 KiB, 415 and an unknown world (404), are a short text.',
    'service-tokens': 'A service token has 96 of `A-Z a-z 0-9`, is valid for 30 days, and leaves older tokens valid.',
    'soap-check-order': 'Checks run in the order missing (10), token (300, 301), purchase (15).',
    'seller-secret': 'A missing `secret` is 10, one that is not 1 to 12 digits is 15, and an unknown one is 300.',
    'soap-input-text': 'White space is part of a value, and an input that occurs twice or has elements is 15.',
    'purchase-lookup':
      "An unknown token is 300, an expired one is 301, and a purchase that is unknown or another seller's is 15.",
    'soap-bounds':
      'DOCTYPE, processing instructions, undeclared prefixes, over 32 levels, or over 1,000 elements or attributes are ' +
      'Client faults.',
    'subscription-state':
      'The state follows from plan and clock, a cancelled one keeps its paid period, and cancelling again is 409.',
    'billing-periods': 'Periods follow the calendar from the day of purchase: 31 January, 28 February, 31 March.',
    'test-mode': 'With `realMode` N a purchase renews every 10 minutes, 12 times, and is then cancelled with reason 2.',
    prices: 'Prices have three decimals with a half rounded up, and are 0.000 in a free trial.',
    'continued-purchases': 'First payment and first purchase are those of the purchase that others continue.',
    'cancelled-trial': 'A trial that was cancelled and is over has `freeTrial` N and `currentPaymentPlan` R.',
    'latest-order-id': '`latestOrderId` has 19 digits and capitals, and is new at the purchase and at each payment.',
    'billing-dates': 'Dates are `YYYY-MM-DD HH:mm:ss` GMT, and every response has `Deprecation` and `Sunset`.',
  }),
  ...about('control API', [], {
    'control-access':
      'The control API is open to same-origin callers on loopback or with `CONTROL=open`, and requires `CONTROL_KEY` ' +
      'elsewhere.',
    'control-refusals':
      'Something that does not exist is 404, a state already reached is 409, and an unknown name in a body 400.',
    'world-names':
      'An unknown world is 404, a name in use or a world beyond 10,000 is 409, and `expiresIn` counts real seconds.',
    'heavy-jobs':
      'Two replays, diffs, snapshots and HAR archives run at a time, 50 wait, and a further one is 429 with ' +
      '`Retry-After`.',
    forks: 'A fork copies records, images, clock, counters, outbox and seed, but not journal, faults and streams.',
    clock: 'The clock is between 2000-01-01 and 9000-12-31, `advance` moves it forward, and PUT sets it to any time.',
    snapshots:
      'A snapshot has at most 256 MiB and no journal, streams and event history, and an unknown collection, field or value ' +
      'in it is 400.',
    restore: 'Restoring a snapshot also restores seed, counters and secret.',
    records:
      'A unique value of another record is 409, an unknown field or wrong value is 400, and references are not checked.',
    journal:
      'The journal shows requests as received and keeps 10,000 entries and about 64 MiB for each world and instance.',
    'journal-matching':
      'Query values match exactly, headers by a part, body fields at any depth, and `*` in a path matches anything.',
    verify: 'A verification that fails reports the closest entries and how they differ.',
    'known-operations': 'An unknown operation in journal, verify or faults is 400.',
    'fault-words':
      'A fault has the words of the document for its status, and the header `x-vendor-cloud-fault` names the fault.',
    'fault-kind-status': 'A fault with a status below 400 lets the work be done and changes only the status.',
    faults:
      'A fault that can never apply is 400, one beyond 1,000 is 409, and a used one stays listed with its number of hits.',
    variation: 'Variation is off by default, ends with a reset, and takes its `seed` from the world.',
    examination: 'The last result of `vendor-cloud examine` is kept in memory, and without one the response is 404.',
    'emitted-events': 'An unknown capability, attribute or value is 400, unless `force` is set.',
    scenarios: 'A scenario has at most 1,000 steps, and one that repeats takes at least 100 ms.',
    'no-content': 'PUT of a snapshot, stream chaos, deletes and resets return 204.',
  }),
  ...about('storage', [], {
    engines: 'State is in memory, in `DATA_DIR` or in `DATABASE_URL`, and setting two of them is rejected.',
    'ended-worlds': 'A call to a world that is deleted meanwhile is 404.',
    damage:
      'A data folder is checked completely at the start: SQLite, a checksum of each record, and digests of images.',
    'crash-recovery': 'After a crash the data file is rewritten from its checked records.',
    'shared-events':
      'Events are stored with the change that caused them, 50,000 for each world and for at most 24 hours.',
    'shared-changes': 'A change of worlds or clocks returns when other instances have it, or after a second.',
  }),
  ...about('document 1', [], {
    'document 1, section 4, common request headers':
      '`request-source` is required, with `vendorus-profId` (cookie before header) for the web site and `vendorus-GUID` ' +
      'for `splus` and `voyager`.',
    'document 1, section 7':
      'A 404 says not found, schedule not found (16, 25), device not found (24) or user not found (32).',
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
      'An unknown ZIP code, model, `subType` or `ascCode`, or no center for all of them, is 404 schedule not found.',
    'document 1, section 4, schedule query':
      '`inWarranty` and `isReschedule` are booleans, and `type` is `PI` or `PII`.',
  }),
  ...about('document 1', [17], {
    'document 1, section 4, store list':
      '`pagination` is a boolean, `pageNo` and `size` are int32, and all parameters are optional.',
  }),
  ...about('document 1', [18, 27], {
    'document 1, section 4, symptom tree, rule 1': 'When `subType` is absent, the response status is 400.',
  }),
  ...about('document 1', [19], {
    'document 1, section 4, ticket list':
      '`statusList` has values of `E0001`, `E0002` and `E0003`, and `offset` and `limit` are int32.',
  }),
  ...about('document 1', [21], { 'document 1, operation 21': 'The query parameter `modelCode` is required.' }),
  ...about('document 1', [23], {
    'document 1, operation 23': 'The query parameters `modelCode` and `prdId` are required.',
  }),
  ...about('document 1', [24], {
    'document 1, operation 24': 'An unknown or malformed device ID is 404 device not found.',
  }),
  ...about('document 1', [26], {
    'document 1, section 8':
      'A request has at most 4 symptom images, which are jpg, gif, bmp or png and smaller than 5 MB.',
  }),
  ...about('document 1', [29], { 'document 1, operation 29': 'The query parameter `modelCode` is required.' }),
  ...about('document 1', [30], {
    'document 1, operation 30': '`zipCode` is a US ZIP code of 5 digits, and a value of another form is 400.',
  }),
  ...about('document 1', [31], { 'document 1, operation 31': 'The query parameter `srid` is required.' }),
  ...about('document 1', [33], {
    'document 1, section 4, rule 2':
      'A user may have one open ticket for unregistered products, and must set `mobilePhone` when operation 32 finds ' +
      'none.',
  }),
  ...about('document 1', [35], { 'document 1, operation 35': 'The query parameters `srid` and `key` are required.' }),
  ...about('document 1', [37], {
    'document 1, operation 37': 'The query parameters `ascType` and `ascCode` are required.',
  }),
  ...about('document 1', [38], {
    'document 1, operation 38': '`bespoke` is `Y` for the bespoke product line and empty for others.',
  }),
  ...about('document 2', [], {
    'document 2, section 2':
      'A subscription has `name`, `version` and filters with `value` and `type`: `SMARTAPPIDS`, `LOCATIONIDS`, ' +
      '`INSTALLEDSMARTAPPIDS` or `DEVICEIDS`.',
    'document 2, section 2, barcode display types': '`serialType` is one of the barcode display types.',
    'document 2, section 2, barcode display types and formats':
      '`serialType`, `ptFormat` and `ptSubFormat` have the values of their tables.',
    'document 2, section 2, locations': 'Locations are a JSON array of at most 10 entries.',
    'document 2, section 2, additional information': 'Additional information is a JSON object.',
    'document 2, section 2, classification': 'Classification is a JSON object.',
    'document 2, section 4':
      'Subscriptions have a JSON body, and the wallet needs the header `partnerCode` and the query `modelName` and ' +
      '`serviceType` `WALLET`.',
    'document 2, section 5, rule 1':
      'Subscription operations carry an OAuth token in the header `Authorization: Bearer <ACCESS_TOKEN>`.',
    'document 2, section 5, rule 2':
      'Creating or updating a subscription requires token scopes that depend on the subscription types requested.',
    'document 2, section 5, rule 4':
      'The security factors are an RSA key of 2048 bits and a certificate signing request.',
    'document 2, section 7':
      'The code is CMN1N1001 for a missing parameter, CMN1N1002 invalid, CMN1N1003 invalid length, CMN2N2007 invalid ' +
      'country code.',
    'document 2, section 8': 'A user and token have one stream connection.',
  }),
  ...about('document 3', [], {
    'SOAP 1.1, section 4':
      'A message is an envelope with at most one header and one body, and its body is one known call.',
    'SOAP 1.1, section 4.2.3':
      'A header with `mustUnderstand` that the server does not know is a MustUnderstand fault.',
    'SOAP 1.1, section 4.4.1': 'An envelope of another namespace is a VersionMismatch fault.',
    'XML 1.0': 'A message that is not well-formed XML is a Client fault.',
    'document 3, section 5, rule 3': 'A token is valid for 30 days.',
    'document 3, section 7':
      'The code is 10 for a missing parameter, 15 for an invalid value, 300 for an invalid secret or token, 301 for an ' +
      'expired token.',
  }),
} as const

type RuleId = keyof typeof rules
type ChoiceId = Exclude<RuleId, `${'document' | 'SOAP' | 'XML'} ${string}`>
/** A rule that is not in the table does not compile. */
export type Source = Exclude<RuleId, ChoiceId> | `our choice: ${ChoiceId}` | 'POST /_control/faults'

/** The rules that are no place in a document, in the order of the table. */
export const choices: readonly (Rule & { id: ChoiceId })[] = Object.keys(rules)
  .filter(isRule)
  .filter(isChoice)
  .map((id) => ({ id, ...(rules[id] as Rule) }))

/** `source` is the rule as errors cite it. */
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
