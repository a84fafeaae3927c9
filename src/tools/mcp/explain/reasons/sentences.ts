import { operationInputs } from './operation-inputs.ts'

const ENDPOINTS = 'document 2, section 4'

const endpoints: Readonly<Record<string, string>> = {
  createSubscription: 'JSON body Subscription (`name`, `version`, `subscriptionFilters`)',
  getSubscription: 'path id',
  updateSubscription: 'JSON body with `subscriptionFilters` (replaces the filters)',
  deleteSubscription: 'path id',
  stream: 'event stream (`text/event-stream` framing with `event:` and `data:` lines)',
}

/** Each sentence is copied from the document to the letter. */
const sentences: Readonly<Record<string, string>> = {
  'document 1, section 2':
    '`serial`, `modelCode`, `bpNo`, `receiptFileKey`, `purchaseDate`: all required on dispute submit',
  'document 1, operation 24': '404 device not found, 500',
  'document 1, operation 30': 'optional query `zipCode` string: a 5-digit US zip code',
  'document 1, operation 38':
    'optional query `modelCode` string; `bespoke` string: `Y` for the bespoke product line, empty for others',
  'document 1, operations 16 and 25': '404 schedule not found, 500',
  'document 1, section 4, common request headers':
    '`request-source`: origin of the request: the vendor web site, `splus` or `voyager` (required). `vendorus-GUID`: ' +
    'required when the request comes from `splus` or `voyager`. `vendorus-profId`: required for the web site; may ' +
    'come from a cookie instead; if both cookie and header are present the cookie value wins',
  'document 1, section 4, schedule query':
    '`inWarranty` boolean, `true`; `isReschedule` boolean, `false`; `type` string, `PI`; allowed `PI`, `PII`',
  'document 1, section 4, store list':
    'all optional: `sort.field` string, `sort.direction` string, `pagination` boolean, `pageNo` int32, `size` int32, ' +
    '`fields` string',
  'document 1, section 4, ticket list':
    '`statusList` array of string, allowed `E0001`, `E0002`, `E0003`, repeated parameter; `offset` int32; `limit` int32',
  'document 1, section 4, symptom tree, rule 1': 'When `subType` is absent, the response status is 400.',
  'document 1, section 4, rule 2':
    'Operation 33: one user may have only one open ticket for unregistered products. `mobilePhone` must be set when ' +
    'operation 32 reports that no mobile number exists.',
  'document 1, section 7':
    '404: not found; schedule not found (schedule); device not found (operation 24); user not found (operation 32)',
  'document 1, section 8': 'at most 4 symptom images per service request',
  'document 2, section 2': '`type`: one of `SMARTAPPIDS`, `LOCATIONIDS`, `INSTALLEDSMARTAPPIDS`, `DEVICEIDS`',
  [ENDPOINTS]:
    'header `partnerCode` (string, required); query `modelName` (string, required, device model name), `serviceType` ' +
    '(string, required, value `WALLET`)',
  'document 2, section 5, rule 1':
    'Subscription operations carry an OAuth token in the header `Authorization: Bearer <ACCESS_TOKEN>`.',
  'document 2, section 5, rule 2':
    'Creating or updating a subscription requires token scopes that depend on the subscription types requested; get ' +
    'and delete require no scope.',
  'document 2, section 7':
    'CMN1N1001: a required parameter is missing; the text names it. CMN1N1002: invalid parameter; the text names it. ' +
    'CMN1N1003: invalid parameter length; the text names it. CMN2N2007: invalid country code',
  'document 2, section 8': 'one stream connection per user and token',
  'document 3, section 5, rule 3': 'A token is valid for 30 days.',
  'document 3, section 7':
    '10 MISSING_PARAMETER: a required parameter is missing. 15 INVALID_PARAMETER_VALUE: a parameter value is ' +
    'invalid. 300 INVALID_SECRET: the service token is invalid. 301 EXPIRED_SERVICE_TOKEN: the service token has expired',
}

/** A place with several sentences is told by the sentence that has the code. */
const byCode: Readonly<Record<string, readonly string[]>> = {
  'document 2, section 7': ['CMN1N1001', 'CMN1N1002', 'CMN1N1003', 'CMN2N2007'],
  'document 3, section 7': ['10', '15', '300', '301'],
}

/** Gives nothing for a place that none of the documents has. */
export function sentenceAt(place: string, code: string, named?: number | string): string | undefined {
  if (place === ENDPOINTS && Object.hasOwn(endpoints, String(named))) return endpoints[String(named)]
  const [, operation = ''] = /^document 1, operation (\d+)$/.exec(place) ?? []
  const whole = Object.hasOwn(sentences, place) ? sentences[place] : operationInputs[Number(operation)]
  if (whole === undefined || !byCode[place]?.includes(code)) return whole
  return whole.split(/\. (?=CMN|\d)/).find((sentence) => new RegExp(`^${code}\\b`).test(sentence)) ?? whole
}

export const citedPlaces: readonly string[] = Object.keys(sentences)
