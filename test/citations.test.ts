import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rejectUnusableValues } from './helpers/open-with-choices.ts'
import { requireImageType } from '../src/server/domain/guest/symptom-images.ts'
import { checkCard } from '../src/server/domain/wallet/cards.ts'
import { readRequestFields } from '../src/server/domain/wallet/security-factors.ts'
import { citedRules } from './helpers/documents/cited-rules.ts'
import { asWeb, buildTestApp } from './helpers/build-test-app.ts'

/**
 * For each section or rule that the code cites, a sentence from it. Sections of the same document differ only by name.
 */
const places: Readonly<Record<string, string>> = {
  'document 1': '# Support Request API: Interface Specification',
  'document 1, section 1': 'the vendor web site, and two application clients identified as `splus` and `voyager`',
  'document 1, section 2': '`serial`, `modelCode`, `bpNo`, `receiptFileKey`, `purchaseDate`: all required',
  'document 1, ContactReason': '| ContactReason | response of the contact reason list |',
  'document 1, CtiToken': '| CtiToken | response of the CTI token operation |',
  'document 1, Customer': '| Customer | dealer customer: search result, create body, edit body |',
  'document 1, CustomerFeedbackRequest': '| CustomerFeedbackRequest | request body of feedback save |',
  'document 1, DealerProduct': '| DealerProduct | dealer registered product |',
  'document 1, GeneralResponse': '| GeneralResponse | response of dealer ticket cancel |',
  'document 1, InStoreScheduleResponse': '| InStoreScheduleResponse | response of in-store slots |',
  'document 1, InStoreServiceRequest': '| InStoreServiceRequest | body of in-store create |',
  'document 1, InStoreServiceRequestResponse':
    '| InStoreServiceRequestResponse | response of in-store create and detail |',
  'document 1, InStoreSymptom': '| InStoreSymptom | response of in-store symptoms |',
  'document 1, ItemWrapper': '| ItemWrapper | list wrapper (used for stores, tickets',
  'document 1, OrderHelpField': '| OrderHelpField | response of the contact reason fields |',
  'document 1, ProductCategory': '| ProductCategory | element of the category list |',
  'document 1, ResponseEntity': '| ResponseEntity | response of customer create and edit |',
  'document 1, ServiceRequest': '| ServiceRequest | ticket record returned by dealer ticket, dispute',
  'document 1, SymptomImageMeta': '| SymptomImageMeta | response of the symptom image upload |',
  'document 1, SymptomResponse': '| SymptomResponse | response of symptom tree operations |',
  'document 1, Taxonomy': '| Taxonomy | response of taxonomy and taxonomy tree |',
  'document 1, ZipcodeLookupResponse': '| ZipcodeLookupResponse | response of zip code lookup |',
  'document 1, section 4': '## 4. Endpoints',
  'document 1, section 4, common request headers': '`request-source` | string | yes',
  'document 1, operation 2': 'query `reasonId` string, required',
  'document 1, operation 7': 'body Customer, required',
  'document 1, operation 8': 'body DealerTicket, required',
  'document 1, operation 9': 'body DealerTicket, required',
  'document 1, operation 13': 'path `id`; body Customer, required (edit customer)',
  'document 1, operation 14': 'path `id`; body DealerProduct, required (register product)',
  'document 1, operation 21': 'troubleshooting query',
  'document 1, operation 23': 'query only',
  'document 1, operation 29': 'troubleshooting query',
  'document 1, operation 31': 'query `srid` string required; `remoteId` string optional',
  'document 1, operation 35': 'query `srid` string required; `key` string required',
  'document 1, operation 37': '`ascType` string required; `ascCode` string required',
  'document 1, operation 5': 'the literal `ROOT` for top level, or a category id',
  'document 1, operation 24': '404 device not found, 500',
  'document 1, operation 30': 'a 5-digit US zip code',
  'document 1, operation 38': '`Y` for the bespoke product line, empty for others',
  'document 1, operations 16 and 25': '404 schedule not found, 500',
  'document 1, section 4, schedule query': '`PI`; allowed `PI`, `PII`',
  'document 1, section 4, store list': '`pagination` boolean, `pageNo` int32, `size` int32',
  'document 1, section 4, ticket list':
    '`statusList` array of string, allowed `E0001`, `E0002`, `E0003`, repeated parameter',
  'document 1, section 4, symptom tree': '**Symptom tree (operations 18 and 27)**: all optional strings',
  'document 1, section 4, symptom tree, rule 1': '1. When `subType` is absent, the response status is 400.',
  'document 1, section 4, troubleshooting':
    'when `srid` is non-empty and `symCode3` is selected, article tracking information is recorded',
  'document 1, product validation': 'an IMEI is a 15-digit number for mobile devices',
  'document 1, section 4, rule 2':
    'one user may have only one open ticket for unregistered products. `mobilePhone` must be set when operation 32',
  'document 1, section 4, rule 4': 'when `start` is absent it is the calling date',
  'document 1, section 4, rule 8': 'Operation 35 is used from a cancel link in an e-mail and needs an identifier',
  'document 1, section 5, rule 1': '`request-source` is required on every operation',
  'document 1, section 5, rule 2': 'except those whose path starts with `/stg/us/instore/noauth/`',
  'document 1, section 5, rule 4': 'when the cookie and the header both exist the cookie wins',
  'document 1, section 5, rule 5': 'Responses 401 and 403 are declared for failed authentication and authorization.',
  'document 1, section 7': '404 | not found; schedule not found (schedule); device not found (operation 24); user not',
  'document 1, section 8': 'at most 4 symptom images per service request',
  'document 2': '# Event Subscription Stream and Wallet Card Reference',
  'document 2, section 2': '## 2. Resources and their fields',
  'document 2, section 2, deviceEvent': '### deviceEvent',
  'document 2, section 2, barcode display types': '### Barcode display types (`serialType`)',
  'document 2, section 2, barcode display types and formats': '### Presentation formats (`ptFormat`)',
  'document 2, section 2, presentation formats': '### Presentation formats (`ptFormat`)',
  'document 2, section 2, barcode formats': '### Barcode formats (`ptSubFormat`)',
  'document 2, section 2, locations': '### Locations (JSON array, at most 10 entries)',
  'document 2, section 2, additional information': '### Additional information (JSON object)',
  'document 2, section 2, classification': '### Classification (JSON object)',
  'document 2, section 2, device availability response body': '### Device availability response body',
  'document 2, section 4': 'header `partnerCode` (string, required); query `modelName` (string, required',
  'document 2, section 4, row 1': '| POST | {sse_api_url}/subscriptions | JSON body Subscription',
  'document 2, section 4, row 2': '| GET | {sse_api_url}/subscriptions/{subscriptionId}',
  'document 2, section 4, row 3': '| PUT | {sse_api_url}/subscriptions/{subscriptionId}',
  'document 2, section 4, row 4': '| DELETE | {sse_api_url}/subscriptions/{subscriptionId}',
  'document 2, section 4, row 5': '| GET | `<registrationUrl>` | none | event stream',
  'document 2, section 4, stream rule 3': 'a device handles a command and its attribute changes',
  'document 2, section 5': 'Security factors for the wallet partner flow',
  'document 2, section 5, rule 1': 'Subscription operations carry an OAuth token in the header',
  'document 2, section 5, rule 2': 'requires token scopes that depend on the subscription types requested',
  'document 2, section 5, rule 3': 'header `partnerCode` carries the partner code or id',
  'document 2, section 5, rule 4': 'a private key (RSA algorithm, 2048 bits',
  'document 2, section 6': '| `CONTROL_EVENT` | the text `welcome` |',
  'document 2, section 7': '| 400 | `CMN1N1001` | a required parameter is missing; the text names it |',
  'document 2, section 8': 'one stream connection per user and token',
  'document 2, section 9': 'The wallet availability path carries the version segment `v2.0`.',
  'document 3': '# ',
  'document 3, operation getSubscriptionStatus': '### getSubscriptionStatus request',
  'document 3, section 2': '### getSubscriptionStatus response: `output` container',
  'document 3, section 3': 'a canceled item remains valid until the end of the current subscription period',
  'document 3, section 5, rule 1': 'The seller calls `createServiceToken` with its `secret`',
  'document 3, section 5, rule 3': 'A token is valid for 30 days',
  'document 3, section 5, rule 4': 'the server must obtain a new token and submit the request again.',
  'document 3, section 5, rules 2 and 3': 'A token is valid for 30 days',
  'document 3, section 7': '| 15 | `INVALID_PARAMETER_VALUE` | a parameter value is invalid |',
  'document 3, section 8': '| `secret` length | at most 12 digits |',
  'document 3, section 9': '## 9. Versioning',
}

const SRC = join(import.meta.dirname, '../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

/** A string contains only the citation. In a comment, the citation may be followed by other words. */
function findCitations(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const strings = [...text.matchAll(/'(document [123],[^']*)'/g)].map(([, place]) => place!)
  const comments = [...text.matchAll(/(?:\/\*\*?|\*|\/\/) .*/g)].flatMap(([line]) =>
    [...line.matchAll(/document [123](?:, [^.:;`'"()]*)?/gi)].map(([cited]) => longestPlace(cited)),
  )
  return [...strings, ...comments]
}

/**
 * Returns the longest known section or rule with which the comment starts. The next words must not name another section
 * or rule.
 */
function longestPlace(cited: string): string {
  const words = `${cited[0]!.toLowerCase()}${cited.slice(1)}`
  const [place = words] = Object.keys(places)
    .filter((each) => words.startsWith(each) && !/^\w/.test(words.slice(each.length)))
    .sort((a, b) => b.length - a.length)
  const rest = words.slice(place.length)
  return /^, (section|operations?|rules?|rows?) \d/.test(rest) ? words : place
}

test('every citation in the code is in the table of citations', () => {
  const unknown = files.flatMap((file) =>
    findCitations(file)
      .filter((place) => !(place in places))
      .map((place) => `${file}: ${place}`),
  )
  expect(unknown).toEqual([])
})

test('every citation in the table is used in the code', () => {
  const cited = new Set(files.flatMap(findCitations))
  expect(Object.keys(places).filter((place) => !cited.has(place) && place.includes(','))).toEqual([])
})

const required: Readonly<Record<number, readonly string[]>> = {
  2: ['query.reasonId'],
  7: ['body'],
  8: ['body'],
  9: ['body'],
  13: ['body'],
  14: ['body'],
  21: ['query.modelCode'],
  23: ['query.modelCode', 'query.prdId'],
  29: ['query.modelCode'],
  31: ['query.srid'],
  35: ['query.key', 'query.srid'],
  37: ['query.ascCode', 'query.ascType'],
}

test('a missing-parameter error cites its operation only if the document requires the parameter', async () => {
  const { app } = buildTestApp()
  const { paths } = (await app.inject('/openapi/support.json')).json() as {
    paths: Record<string, Record<string, { 'x-operation': number }>>
  }
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { 'x-operation': operation }] of Object.entries(methods)) {
      const url = path.replace(/\{\w+\}/g, '1000000001')
      const reply = await app.inject({ method: method as 'GET', url, headers: asWeb('dealer-erin') })
      const details = (reply.payload ? (reply.json().error?.details ?? []) : []) as {
        source: string
        target: string
      }[]
      const cited = details.filter(({ source }) => source === `document 1, operation ${operation}`)
      expect([operation, cited.map(({ target }) => target).sort()]).toEqual([operation, required[operation] ?? []])
    }
  }
})

test.each([
  ['dealer/stores?size=1000', 'our choice: page-max'],
  ['dealer/stores?pageNo=x', 'document 1, section 4, store list'],
  ['dealer/stores?sort.field=x', 'our choice: list-sorting'],
  ['dealer/tickets?statusList=x', 'document 1, section 4, ticket list'],
  ['dealer/tickets?limit=0', 'our choice: page-max'],
  ['dealer/schedule?zipCode=1', 'our choice: field-forms'],
  ['dealer/schedule?type=x', 'document 1, section 4, schedule query'],
  ['guest/zipCode', 'our choice: required-bodies'],
  ['guest/zipCode?zipCode=1', 'document 1, operation 30'],
  ['guest/zipCode?zipCode=07660-1234', 'our choice: zip-plus-four'],
  ['dealer/tickets?limit=abc', 'document 1, section 4, ticket list'],
  ['guest/zipCode?zipCode=00000', 'our choice: zip-codes'],
  ['guest/symptom', 'document 1, section 4, symptom tree, rule 1'],
  ['guest/symptom/changeColor?modelCode=!', 'our choice: field-forms'],
  ['guest/product/validation/ZZZZZZZZZZ9', 'document 1, operation 24'],
  ['instore/detail', 'our choice: required-bodies'],
  ['instore/detail?srid=1', 'our choice: malformed-srid'],
  ['instore/noauth/nearest', 'our choice: required-bodies'],
  ['instore/noauth/slots?ascType=WALKIN&ascCode=ASC001&start=x', 'our choice: field-forms'],
] as const)('the error response for %s cites %s', async (path, source) => {
  const { app } = buildTestApp()
  await rejectUnusableValues(app)
  const reply = await app.inject({ url: `/stg/us/${path}`, headers: asWeb('dealer-erin') })
  expect(citedRules(reply)).toEqual([source])
})

const type = 'DEVICEIDS'
test.each([
  [{ name: 1 }, 'body.name', 'document 2, section 2'],
  [{ name: 'x'.repeat(300) }, 'body.name', 'our choice: field-forms'],
  [{ version: 'x' }, 'body.version', 'document 2, section 2'],
  [{ version: 1.5 }, 'body.version', 'document 2, section 2'],
  [{ subscriptionFilters: {} }, 'body.subscriptionFilters', 'document 2, section 2'],
  [{ subscriptionFilters: [] }, 'body.subscriptionFilters', 'our choice: subscription-fields'],
  [{ subscriptionFilters: undefined }, 'body.subscriptionFilters', 'our choice: required-fields'],
  [{ subscriptionFilters: [1] }, 'body.subscriptionFilters[0]', 'document 2, section 2'],
  [{ subscriptionFilters: [{ value: ['a'] }] }, 'body.subscriptionFilters[0].type', 'our choice: required-fields'],
  [{ subscriptionFilters: [{ type: 'X', value: ['a'] }] }, 'body.subscriptionFilters[0].type', 'document 2, section 2'],
  [{ subscriptionFilters: [{ type }] }, 'body.subscriptionFilters[0].value', 'our choice: required-fields'],
  [{ subscriptionFilters: [{ type, value: 'a' }] }, 'body.subscriptionFilters[0].value', 'document 2, section 2'],
  [{ subscriptionFilters: [{ type, value: [1] }] }, 'body.subscriptionFilters[0].value[0]', 'document 2, section 2'],
  [
    { subscriptionFilters: [{ type, value: ['a'], capability: 1 }] },
    'body.subscriptionFilters[0].capability',
    'our choice: field-forms',
  ],
] as const)(
  'subscription errors cite document 2 for types and our choice for required fields: %j',
  async (more, target, source) => {
    const { app } = buildTestApp()
    const payload = { subscriptionFilters: [{ type, value: ['a'] }], ...more }
    const headers = { authorization: 'Bearer token-home' }
    const reply = await app.inject({ method: 'POST', url: '/subscriptions', headers, payload })
    expect(reply.json().error.details).toEqual([expect.objectContaining({ target, source })])
  },
)

test('card errors cite document 2 or our choice, depending on which one defines the rule', () => {
  const sourceOf = (card: object) => checkCard(card).errors.map(({ code, source }) => [code, source])
  expect(sourceOf({ barcode: { serialType: 'X', ptFormat: 1, value: 5 } })).toEqual([
    ['InvalidValue', 'document 2, section 2, barcode display types and formats'],
    ['InvalidValue', 'document 2, section 2, barcode display types and formats'],
    ['InvalidType', 'our choice: card-fields'],
  ])
  expect(sourceOf({ barcode: { ptFormat: 'SERIAL', value: '5' } })).toEqual([
    ['MissingField', 'our choice: card-required'],
  ])
  const person = (count: unknown) => ({ classification: { person: [{ category: 'Adult', count }] } })
  expect(sourceOf(person('two'))).toEqual([['InvalidValue', 'our choice: card-fields']])
  expect(sourceOf(person(undefined))).toEqual([['MissingField', 'document 2, section 2, classification']])
  expect(sourceOf({ locations: [{ name: 'a', lat: 'x', lng: 200 }] })).toEqual([
    ['InvalidType', 'document 2, section 2, locations'],
    ['OutOfRange', 'our choice: card-fields'],
    ['MissingField', 'document 2, section 2, locations'],
  ])
})

test('signing request errors cite our choice for countries and document 2 for emails', () => {
  const given = { country: 'ZZ', state: 'x'.repeat(200), locality: 'a', organization: 'a', unit: 'a', email: 'x' }
  const read = readRequestFields({ ...given, commonName: 'a.example.com' })
  expect('errors' in read && read.errors.map(({ target, source }) => [target, source])).toEqual([
    ['country', 'our choice: signing-requests'],
    ['state', 'our choice: signing-requests'],
    ['email', 'document 2, section 5, rule 4'],
  ])
})

test('errors for duplicate wallet parameters and duplicate SOAP elements cite our choice', async () => {
  const { app } = buildTestApp()
  const sourcesOf = async () => {
    const [{ why }] = (await app.inject('/_control/journal?refused=true&limit=1')).json().entries
    return why.findings?.length > 0 ? why.findings.map(({ source }: { source: string }) => source) : [why.source]
  }
  const url = '/wallet/cmn/v2.0/device/available?modelName=a&serviceType=WALLET'
  const headers = { partnercode: 'partner-1001' }
  await app.inject({ url: `${url}&modelName=b`, headers })
  expect(await sourcesOf()).toEqual(['our choice: repeated-parameters'])
  await app.inject({ url: `${url}S`, headers })
  expect(await sourcesOf()).toEqual(['document 2, section 7'])
  const call = (inner: string) =>
    app.inject({
      method: 'POST',
      url: '/iap/ws/RTCService',
      headers: { 'content-type': 'text/xml' },
      payload: `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><w:createServiceToken
        xmlns:w="http://ws.iap.vendor.com/">${inner}</w:createServiceToken></e:Body></e:Envelope>`,
    })
  await call('<secret>1</secret><secret>2</secret>')
  expect(await sourcesOf()).toEqual(['our choice: soap-input-text'])
  await call('<secret>x</secret>')
  expect(await sourcesOf()).toEqual(['document 3, section 7'])
})

test('errors for image size and type have the messages in document 1, section 8', () => {
  expect(() => requireImageType(new Uint8Array(5_000_000))).toThrow('body.imageFile must be smaller than 5 MB')
  expect(() => requireImageType(new Uint8Array(9))).toThrow(/must be a jpg, gif, bmp or png$/)
})

test.each([
  ['guest/zipCode?zipCode=1', 400, 'invalid zip code'],
  ['guest/symptom', 400, 'missing subType'],
  ['dealer/symptom', 400, 'missing subType'],
  ['guest/schedule?zipCode=00000', 404, 'schedule not found'],
  ['dealer/schedule?zipCode=00000', 404, 'schedule not found'],
  ['guest/product/validation/ZZZZZZZZZZ9', 404, 'device not found'],
  ['instore/checkmobile', 404, 'user not found'],
] as const)('the request %s is rejected with %i and the message in document 1: %s', async (path, status, words) => {
  const { app } = buildTestApp()
  const headers = asWeb(path.startsWith('dealer') ? 'dealer-erin' : 'nobody')
  const reply = await app.inject({ url: `/stg/us/${path}`, headers })
  expect([reply.statusCode, reply.json().error.message]).toEqual([status, words])
})
