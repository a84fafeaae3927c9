import { symptomImageOperations } from '../../../contract/documents/support/symptom-images.ts'
import { type SoapExample, expired, nothing } from './soap-examples.ts'
import { type ExampleChange, ANOTHER, subscribe, openedSubscription } from './coverage-examples.ts'

const noSubscription = { params: { subscriptionId: ANOTHER }, before: [] }
const guestToken = { authorization: 'Bearer token-guest' }
const poisoned = { query: { constructor: 'anything' } }

/** These refusals need something before the call, so they stand by name and status. */
export const statusExamples: Readonly<Record<string, ExampleChange>> = {
  'createSubscription: 403': { headers: guestToken },
  'getSubscription: 404': noSubscription,
  'updateSubscription: 404': noSubscription,
  'deleteSubscription: 404': noSubscription,
  'stream: 404': noSubscription,
  'getSubscription: 400': poisoned,
  'updateSubscription: 400': { body: '{}' },
  'deleteSubscription: 400': poisoned,
  'stream: 400': { query: { key: ['one', 'another'] } },
  'stream: 403': { headers: { authorization: 'Bearer token-other' }, query: { key: '{{streamKey}}' } },
  'stream: 409': { before: [...openedSubscription, subscribe(ANOTHER)], params: { subscriptionId: ANOTHER } },
  'updateSubscription: 403': { headers: guestToken },
}

type RuleExample = SoapExample | (ExampleChange & { operation: number | string })

/** Each place of the documents that a refusal can name has an example that is refused by it. */
export const ruleExamples: Readonly<Record<string, RuleExample>> = {
  'document 1, operation 24': { operation: 24, params: { deviceId: 'unknown' } },
  'document 1, operation 30': { operation: 30, query: { zipCode: 'abc' } },
  'document 1, operation 38': { operation: 38, query: { bespoke: 'X' } },
  'document 1, operations 16 and 25': { operation: 25, query: { ascCode: 'ASC999' } },
  'document 1, section 2': { operation: 15, body: { serial: undefined } },
  'document 1, section 4, common request headers': { operation: 1, headers: { 'request-source': undefined } },
  'document 1, section 4, rule 2': { operation: 33, body: { mobilePhone: undefined } },
  'document 1, section 4, schedule query': { operation: 25, query: { type: 'X' } },
  'document 1, section 4, store list': { operation: 17, query: { pagination: 'maybe' } },
  'document 1, section 4, symptom tree, rule 1': { operation: 27, query: { subType: undefined } },
  'document 1, section 4, ticket list': { operation: 19, query: { statusList: ['E0009'] } },
  'document 1, section 7': { operation: 32, headers: { 'vendorus-profId': 'nobody' } },
  'document 1, section 8': {
    operation: 26,
    body: String(symptomImageOperations[26].example.body).replace('GIF89a', 'no GIF'),
  },
  'document 2, section 2': {
    operation: 'createSubscription',
    body: { subscriptionFilters: [{ type: 'ROOMIDS', value: ['ALL'] }] },
  },
  'document 2, section 5, rule 1': { operation: 'getSubscription', headers: { authorization: undefined } },
  'document 2, section 5, rule 2': {
    operation: 'createSubscription',
    headers: { authorization: 'Bearer token-guest' },
  },
  'document 2, section 7': { operation: 'checkAvailability', query: { modelName: undefined } },
  'document 2, section 8': {
    operation: 'stream',
    before: [...openedSubscription, subscribe(ANOTHER)],
    params: { subscriptionId: ANOTHER },
  },
  'document 3, section 5, rule 3': expired,
  'document 3, section 7': nothing,
}
