import type { JournalEntry } from '#tools/client/types.ts'
import { beyond, type Chapter, type Check, header, isEvidence, none, noneOf, some, someOf } from '../check.ts'
import type { Transcript } from '../transcript.ts'
import { expecting, type Session } from '../session.ts'
import { kindsOf, varied } from './variation.ts'

const task =
  'Get a service token for VENDOR_CLOUD_SELLER_SECRET. Then request the status of VENDOR_CLOUD_PURCHASE_ID a few ' +
  'times per second until you are stopped.'

const statusRequest = { operation: 'getSubscriptionStatus' }
const answeredStatus = { ...statusRequest, status: 200 }

const tokens = (transcript: Transcript) => transcript.requests('createServiceToken')
const statuses = (transcript: Transcript) => transcript.requests('getSubscriptionStatus')
const posts = (transcript: Transcript) => transcript.requests().filter(({ method }) => method === 'POST')
const calls = (transcript: Transcript) => [...tokens(transcript), ...statuses(transcript)]
const answered = ({ status }: JournalEntry) => status === 200
const isCancelled = ({ status, response }: JournalEntry) => status === 200 && /CANCEL\s*</.test(String(response?.body))
const faultOf = ({ why }: JournalEntry) => why?.code

/** Maximum number of requests per second that still counts as "a few times a second". */
const MOST_A_SECOND = 15

export const billingAlways: readonly Check[] = [
  {
    name: 'posts-xml',
    level: 'MUST',
    source: 'SOAP 1.1, section 6',
    rule: 'Calls are sent with the content type text/xml.',
    advice: 'Send content-type: text/xml; charset=utf-8.',
    evaluate: (transcript) =>
      noneOf(posts(transcript), (entry) => !header(entry, 'content-type')?.startsWith('text/xml')),
  },
  {
    name: 'sends-proper-envelopes',
    level: 'MUST',
    source: 'SOAP 1.1, section 4',
    rule: 'Each message is an envelope with one call in its body.',
    advice: 'Let a SOAP library write the envelope, or read `why` in the journal entries.',
    evaluate: (transcript) =>
      noneOf(posts(transcript), (entry) => /^(?:Client|VersionMismatch|MustUnderstand)$/.test(faultOf(entry) ?? '')),
  },
  {
    name: 'sends-soap-action',
    level: 'INFO',
    source: 'SOAP 1.1, section 6.1.1',
    rule: 'A SOAP request over HTTP has the header SOAPAction.',
    advice: 'Send SOAPAction: "".',
    evaluate: (transcript) => noneOf(calls(transcript), (entry) => header(entry, 'soapaction') === undefined),
  },
  {
    name: 'sends-what-is-required',
    level: 'MUST',
    source: 'document 3, section 2',
    rule: 'Every call has its required elements in the required format.',
    advice: 'Send the element secret, or the elements purchaseID and serviceToken.',
    evaluate: (transcript) =>
      noneOf(calls(transcript), (entry) => !entry.faults && ['10', '15'].includes(faultOf(entry) ?? '')),
  },
  {
    name: 'does-not-hammer',
    level: 'SHOULD',
    source: 'document 3, section 7',
    rule: `The client makes at most ${MOST_A_SECOND} calls per second, and does not keep sending a rejected secret.`,
    advice: 'Pause between calls. INVALID_SECRET is permanent: stop and report it.',
    evaluate: (transcript) => {
      const rejected = tokens(transcript).filter(({ response }) => />300</.test(String(response?.body)))
      const hasty = [tokens(transcript), statuses(transcript)].flatMap((each) => beyond(each, MOST_A_SECOND, 1000))
      return none([...beyond(rejected, 3, 2500), ...hasty], calls(transcript))
    },
  },
]

async function follow(session: Session, count: number): Promise<void> {
  await session.need(statusRequest)
  await session.until(answeredStatus, { count })
}

export const billing: Chapter = [
  {
    name: 'billing-follow',
    task,
    play: (session) => follow(session, 4),
    checks: [
      {
        name: 'reuses-its-token',
        level: 'SHOULD',
        source: 'document 3, section 5, rule 3',
        rule: 'A service token is used until it expires after 30 days.',
        advice: 'Store the token. Do not request a new one for each call.',
        evaluate: (transcript) => none(tokens(transcript).slice(1), statuses(transcript).slice(1)),
      },
    ],
  },
  {
    name: 'billing-leading-zeros',
    task,
    environment: { VENDOR_CLOUD_SELLER_SECRET: '000000000042', VENDOR_CLOUD_PURCHASE_ID: 'purchase-other' },
    play: expecting({ operation: 'createServiceToken' }, { next: answeredStatus }),
    checks: [
      {
        name: 'keeps-leading-zeros',
        level: 'MUST',
        source: 'document 3, section 2',
        rule: 'A secret is text and keeps its leading zeros.',
        advice: 'Never convert it to a number.',
        evaluate: (transcript) => someOf(tokens(transcript), answered),
      },
    ],
  },
  {
    name: 'billing-token-expires',
    task,
    play: async (session) => {
      await follow(session, 1)
      await session.mark('disturbed')
      await session.world.clock.advance('P31D')
      // Requests that were in progress used the old token, so only later requests count.
      await session.mark('expired')
      await session.until(answeredStatus, { after: 'expired', count: 2 })
    },
    checks: [
      {
        name: 'renews-at-301',
        level: 'MUST',
        source: 'document 3, section 5, rule 4',
        rule: 'After a token expires, the client gets a new one and repeats the request.',
        advice: 'On errorCode 301, call createServiceToken, then repeat the call.',
        evaluate: (transcript) => {
          const met = statuses(transcript).filter((entry) => faultOf(entry) === '301')
          return some(statuses(transcript.after('expired')).filter(answered), met)
        },
      },
      {
        name: 'renews-once',
        level: 'SHOULD',
        source: 'document 3, section 5, rule 4',
        rule: 'The client requests only one new token when its token has expired.',
        advice: 'Let parallel calls wait for the same renewal.',
        evaluate: (transcript) =>
          none(tokens(transcript.after('disturbed')).slice(1), tokens(transcript.after('disturbed'))),
      },
    ],
  },
  {
    name: 'billing-unknown-error',
    task,
    fault: { match: statusRequest, respond: { fault: -1 }, times: 2 },
    play: (session) => follow(session, 1),
    checks: [
      {
        name: 'reads-faults-with-500',
        level: 'MUST',
        source: 'SOAP 1.1, section 6.2',
        rule: 'A client reads faults, which have the status 500. UNKNOWN_ERROR is temporary and keeps the token valid.',
        advice:
          'Read the body of a response with status 500. Only error codes 300 and 301 mean that the token is invalid.',
        evaluate: (transcript) => {
          const further = tokens(transcript).slice(1)
          return isEvidence(further) ? further : someOf(statuses(transcript), answered)
        },
      },
    ],
  },
  {
    name: 'billing-invalid-secret',
    task: `${task} If the secret is rejected, stop.`,
    fault: { match: { operation: 'createServiceToken' }, respond: { fault: 300 } },
    play: expecting({ operation: 'createServiceToken' }, { pause: 2500 }),
    // The check `does-not-hammer` covers this scenario.
    checks: [],
  },
  {
    name: 'billing-expired-again',
    task: `${task} Every token is rejected as expired (error 301), even a new one: another renewal does not help.`,
    fault: { match: statusRequest, respond: { fault: 301 } },
    play: expecting(statusRequest, { pause: 2500 }),
    checks: [
      {
        name: 'renews-with-an-end',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'If every new token is rejected immediately, the client stops or requests tokens less often.',
        advice: 'If a new token is rejected too, stop, or wait longer each time, and report it.',
        // Counts pauses and not tokens. On a busy machine, a scenario takes longer, so a client requests more tokens.
        evaluate: (transcript) => none(beyond(tokens(transcript).slice(2), 3, 1300), tokens(transcript)),
      },
    ],
  },
  {
    name: 'billing-cancelled',
    task:
      `${task} Continue while the purchase is valid, and no longer. A cancelled purchase is valid until its end ` +
      "date on the world's clock (GET /_control/clock).",
    play: async (session) => {
      await follow(session, 1)
      await session.world.purchases.cancel('purchase-active', '1')
      await session.mark('cancelled')
      await session.until(answeredStatus, { after: 'cancelled' })
      // The first response may belong to an earlier request. Later requests show that the client continues.
      await session.may(answeredStatus, { after: 'cancelled', count: 3 })
      await session.mark('ahead')
      await session.world.clock.advance('P29D')
      await session.world.clock.advance('P29D')
      await session.mark('over')
      await session.may(answeredStatus, { after: 'over' })
      await session.pause(100)
      await session.mark('ended')
      await session.pause(900)
    },
    checks: [
      {
        name: 'keeps-access-to-the-end',
        level: 'MUST',
        source: 'document 3, section 3',
        rule: 'A cancelled item remains valid until the end of the current subscription period.',
        advice: 'Compare subscriptionEndDate with the time before you end access. CANCEL alone does not end it.',
        // Can only fail, because a client may send requests and still deny access to its user.
        evaluate: (transcript) => {
          const told = statuses(transcript).find(isCancelled)
          const later = statuses(transcript.before('ahead')).filter(({ id }) => told && id > told.id)
          return told && later.length === 0 ? [told] : 'not covered'
        },
      },
      {
        name: 'stops-behind-the-end',
        level: 'INFO',
        source: 'document 3, section 3',
        rule: 'After the end of a cancelled purchase, the client stops requesting its status.',
        advice: 'Compare subscriptionEndDate with the time, and stop after that date.',
        evaluate: (transcript) => {
          const told = statuses(transcript).find(isCancelled)
          const ahead = statuses(transcript).filter(({ id }) => told && id > told.id)
          return none(statuses(transcript.after('ended')).slice(1), ahead)
        },
      },
    ],
  },
  {
    name: 'billing-sunset',
    task: `${task} The service is unavailable several times, for longer each time, and then shuts down.`,
    play: async (session) => {
      const { world } = session
      await follow(session, 1)
      for (const times of [1, 2, 4]) {
        await world.faults.add({ match: statusRequest, respond: { status: 503, retryAfter: 1 }, times })
        await session.mark(`brownout ${times}`)
        await session.until(answeredStatus, { after: `brownout ${times}` })
      }
      await world.faults.add({ match: statusRequest, respond: { status: 503 } })
      await session.pause(200)
      await session.mark('gone')
      await session.pause(2500)
    },
    checks: [
      {
        name: 'outlives-brownouts',
        level: 'INFO',
        source: 'RFC 8594',
        rule: 'A client continues after each outage, although each one is longer than the one before.',
        advice: 'Keep the last known status, and retry later.',
        evaluate: (transcript) => {
          const marks = [1, 2, 4].map((times) => statuses(transcript.after(`brownout ${times}`)))
          return some(
            marks.every((calls) => calls.some(answered)) ? statuses(transcript) : [],
            statuses(transcript).filter(({ faults }) => faults),
          )
        },
      },
      {
        name: 'gets-calmer-at-the-end',
        level: 'INFO',
        source: 'RFC 8594',
        rule: 'When the service no longer responds, the client sends fewer and fewer requests.',
        advice: 'Wait longer after each failure, and act on Deprecation and Sunset in time.',
        evaluate: (transcript) =>
          none(beyond(statuses(transcript.after('gone')).slice(2), 3, 1300), statuses(transcript)),
      },
    ],
  },
  ...varied({
    document: 'billing',
    kinds: [...kindsOf('soap'), ...kindsOf('http')],
    task,
    play: expecting({ operation: 'createServiceToken' }, { next: answeredStatus }),
    evaluate: (transcript) => some(statuses(transcript).filter(answered), calls(transcript)),
  }),
  ...varied({
    document: 'billing',
    // In document 3, only the status response has optional fields.
    kinds: ['soap-missing'],
    task,
    play: expecting(answeredStatus, { next: answeredStatus, count: 2 }),
    evaluate: (transcript) => some(statuses(transcript).filter(answered).slice(1), calls(transcript)),
  }),
]
