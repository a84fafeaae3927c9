import { withoutBasePath } from '#contract/documents/base-path.ts'
import { scopeOf } from '#contract/documents/support/operations.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import { type Check, header, none, noneOf } from '../check.ts'
import type { Transcript } from '../transcript.ts'

export const RULES = 'document 1, section 4'

const namesNoIdentity = ({ operation }: JournalEntry) => scopeOf(operation) === 'anonymous'

const supportCalls = (transcript: Transcript) =>
  transcript.requests().filter(({ path = '' }) => withoutBasePath(path).startsWith('/stg/'))
const isApp = (entry: JournalEntry) => ['splus', 'voyager'].includes(header(entry, 'request-source') ?? '')
const hasProfId = (entry: JournalEntry) =>
  header(entry, 'vendorus-profid') !== undefined || header(entry, 'cookie') !== undefined
const hasGuid = (entry: JournalEntry) => header(entry, 'vendorus-guid') !== undefined
export const succeeded = ({ status = 0 }: JournalEntry) => status >= 200 && status < 300

function askedFor({ method, path, query, request }: JournalEntry): string {
  return JSON.stringify([method, path, query, request?.body])
}

/** Headers and the mobile number have their own checks. A slot booked by another client is not the client's fault. */
const isOwnFault = ({ code, target }: { code: string; target: string }) =>
  code !== 'SlotUnavailable' && !target.startsWith('header.') && target !== 'body.mobilePhone'

function repeated(calls: readonly JournalEntry[]): JournalEntry[] {
  return calls.filter((entry, i) => {
    const earlier = calls.slice(0, i).findLast((each) => askedFor(each) === askedFor(entry))
    const { status = 0 } = earlier ?? {}
    return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)
  })
}

export const supportAlways: readonly Check[] = [
  {
    name: 'sends-request-source',
    level: 'MUST',
    source: 'document 1, section 5, rule 1',
    rule: 'Every request names its origin in the header request-source.',
    advice: 'Send request-source with every request, even under /stg/us/instore/noauth/.',
    evaluate: (transcript) =>
      noneOf(supportCalls(transcript), (entry) => header(entry, 'request-source') === undefined),
  },
  {
    name: 'sends-known-request-source',
    level: 'MUST',
    source: RULES,
    rule: 'The value of request-source is that of the web site, splus or voyager.',
    advice: 'Send vendor.com, splus or voyager.',
    evaluate: (transcript) =>
      noneOf(
        supportCalls(transcript).filter((entry) => header(entry, 'request-source') !== undefined),
        (entry) => !['vendor.com', 'splus', 'voyager'].includes(header(entry, 'request-source')!),
      ),
  },
  {
    name: 'identity-by-origin',
    level: 'MUST',
    source: RULES,
    rule: 'The web site identifies its user by vendorus-profId, and the apps by vendorus-GUID.',
    advice: 'Choose the identity header that belongs to the request-source.',
    evaluate: (transcript) => {
      const met = supportCalls(transcript).filter(
        ({ operation }) => !['anonymous', undefined].includes(scopeOf(operation)),
      )
      const lacks = (entry: JournalEntry) => !(isApp(entry) ? hasGuid(entry) : hasProfId(entry))
      const isGuest = (entry: JournalEntry) =>
        scopeOf(entry.operation) === 'guests' && !hasGuid(entry) && !hasProfId(entry)
      return noneOf(met, (entry) => lacks(entry) && !isGuest(entry))
    },
  },
  {
    name: 'sends-one-identity',
    level: 'SHOULD',
    source: RULES,
    rule: 'A request has only one identity header.',
    advice: 'Send vendorus-GUID or vendorus-profId, not both: only one is used.',
    evaluate: (transcript) =>
      noneOf(
        supportCalls(transcript).filter((entry) => hasGuid(entry) || hasProfId(entry)),
        (entry) => hasGuid(entry) && hasProfId(entry),
      ),
  },
  {
    name: 'keeps-identity-from-noauth',
    level: 'INFO',
    source: 'document 1, section 5, rule 2',
    rule: 'Operations under /stg/us/instore/noauth/ are called without an identity.',
    advice: 'Omit the identity where it is not used.',
    evaluate: (transcript) =>
      noneOf(supportCalls(transcript).filter(namesNoIdentity), (entry) => hasGuid(entry) || hasProfId(entry)),
  },
  {
    name: 'asks-known-operations',
    level: 'MUST',
    source: RULES,
    rule: 'Every request has a method and path of the operation table.',
    advice: 'Compare the path and method with the operation table.',
    evaluate: (transcript) => {
      const isUnknown = ({ operation, status }: JournalEntry) => operation === undefined || status === 405
      return noneOf(supportCalls(transcript), isUnknown)
    },
  },
  {
    name: 'sends-valid-input',
    level: 'MUST',
    source: RULES,
    rule: 'Every request has the input that its operation requires, in the required format.',
    advice: 'Read `why` in the journal entries: it names each invalid parameter and field.',
    evaluate: (transcript) => {
      // The client is not to blame for faults that the scenario injects.
      const wrong = ({ status, faults, why, operation }: JournalEntry) =>
        status === 400 && !faults && operation !== 26 && why?.findings.some(isOwnFault)
      return noneOf(supportCalls(transcript), wrong)
    },
  },
  {
    name: 'keeps-to-its-scope',
    level: 'MUST',
    source: 'document 1, section 5, rule 5',
    rule: 'A client requests only what its user may access.',
    advice: 'Only dealers may use dealer operations, and only for their own company.',
    evaluate: (transcript) =>
      none(
        supportCalls(transcript).filter(({ status, faults }) => (status === 401 || status === 403) && !faults),
        supportCalls(transcript).filter((entry) => !namesNoIdentity(entry)),
      ),
  },
  {
    name: 'does-not-repeat-refused',
    level: 'SHOULD',
    source: 'RFC 9110, section 15.5',
    rule: 'The client does not repeat a rejected request without changing it.',
    advice: 'Repeat a request only after status 408, 429 or 5xx. After any other error, change the request first.',
    evaluate: (transcript) => {
      const met = supportCalls(transcript).filter(({ status = 0 }) => status >= 400 && status < 500)
      return none(repeated(supportCalls(transcript)), met)
    },
  },
  {
    name: 'sends-json-as-json',
    level: 'MUST',
    source: 'document 1, section 1',
    rule: 'Bodies are JSON and have the content type of JSON.',
    advice: 'Send content-type: application/json with a body.',
    evaluate: (transcript) => {
      const hasBody = (entry: JournalEntry) => Number(header(entry, 'content-length')) > 0
      const met = supportCalls(transcript).filter((entry) => hasBody(entry) && entry.operation !== 26)
      return noneOf(met, (entry) => !/json/.test(header(entry, 'content-type') ?? ''))
    },
  },
]
