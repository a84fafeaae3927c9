import type { JournalEntry } from '../../control-client/types.ts'
import { type Chapter, type Check, header, isEvidence, none, noneOf, type Seen, some, someOf } from '../check.ts'
import { expecting, type Stage } from '../stage.ts'
import { kindsOf, varied } from './variation.ts'

const task =
  'Get a service token for VENDOR_CLOUD_SELLER_SECRET, then ask for the status of VENDOR_CLOUD_PURCHASE_ID a few ' +
  'times a second, until you are ended.'

const tokens = (seen: Seen) => seen.requests('createServiceToken')
const statuses = (seen: Seen) => seen.requests('getSubscriptionStatus')
const posts = (seen: Seen) => seen.requests().filter(({ method }) => method === 'POST')
const calls = (seen: Seen) => [...tokens(seen), ...statuses(seen)]
const answered = ({ status }: JournalEntry) => status === 200
const isCancelled = ({ status, response }: JournalEntry) => status === 200 && /CANCEL\s*</.test(String(response?.body))
const faultOf = ({ why }: JournalEntry) => why?.code

export const billingAlways: readonly Check[] = [
  {
    name: 'posts-xml',
    level: 'MUST',
    source: 'SOAP 1.1, section 6',
    rule: 'Calls are posted as text/xml.',
    advice: 'Send content-type: text/xml; charset=utf-8.',
    judge: (seen) => noneOf(posts(seen), (entry) => !header(entry, 'content-type')?.startsWith('text/xml')),
  },
  {
    name: 'sends-proper-envelopes',
    level: 'MUST',
    source: 'SOAP 1.1, section 4',
    rule: 'Every message is an envelope with one call in its body.',
    advice: 'Let a SOAP library write the envelope, or read `why` of the entries.',
    judge: (seen) =>
      noneOf(posts(seen), (entry) => /^(?:Client|VersionMismatch|MustUnderstand)$/.test(faultOf(entry) ?? '')),
  },
  {
    name: 'sends-soap-action',
    level: 'INFO',
    source: 'SOAP 1.1, section 6.1.1',
    rule: 'A SOAP request over HTTP has the header SOAPAction.',
    advice: 'Send SOAPAction: "".',
    judge: (seen) => noneOf(calls(seen), (entry) => header(entry, 'soapaction') === undefined),
  },
  {
    name: 'sends-what-is-required',
    level: 'MUST',
    source: 'document 3, section 2',
    rule: 'Every call holds its required elements, in their form.',
    advice: 'Send secret; purchaseID and serviceToken.',
    judge: (seen) => noneOf(calls(seen), (entry) => !entry.faults && ['10', '15'].includes(faultOf(entry) ?? '')),
  },
]

/** Until so many statuses have been had. */
async function follow(stage: Stage, count: number): Promise<void> {
  await stage.need({ operation: 'getSubscriptionStatus' })
  await stage.until({ operation: 'getSubscriptionStatus', status: 200 }, { count })
}

export const billing: Chapter = [
  {
    name: 'billing-follow',
    task,
    play: (stage) => follow(stage, 4),
    checks: [
      {
        name: 'reuses-its-token',
        level: 'SHOULD',
        source: 'document 3, section 5, rule 3',
        rule: 'A service token is used for the 30 days that it is valid.',
        advice: 'Keep the token; do not ask for one with each call.',
        judge: (seen) => none(tokens(seen).slice(1), statuses(seen).slice(1)),
      },
    ],
  },
  {
    name: 'billing-leading-zeros',
    task,
    environment: { VENDOR_CLOUD_SELLER_SECRET: '000000000042', VENDOR_CLOUD_PURCHASE_ID: 'purchase-other' },
    play: expecting({ operation: 'createServiceToken' }, { next: { operation: 'getSubscriptionStatus', status: 200 } }),
    checks: [
      {
        name: 'keeps-leading-zeros',
        level: 'MUST',
        source: 'document 3, section 2',
        rule: 'A secret is text, its zeros at the front included.',
        advice: 'Never make a number of it.',
        judge: (seen) => someOf(tokens(seen), answered),
      },
    ],
  },
  {
    name: 'billing-token-expires',
    task,
    play: async (stage) => {
      await follow(stage, 1)
      await stage.mark('disturbed')
      await stage.world.clock.advance('P31D')
      // What was on its way meanwhile was answered by the token of before.
      await stage.mark('expired')
      await stage.until({ operation: 'getSubscriptionStatus', status: 200 }, { after: 'expired', count: 2 })
    },
    checks: [
      {
        name: 'renews-at-301',
        level: 'MUST',
        source: 'document 3, section 5, rule 4',
        rule: 'When the token has expired, another is got and the request is submitted again.',
        advice: 'At errorCode 301 call createServiceToken, then repeat the call.',
        judge: (seen) => {
          const met = statuses(seen).filter((entry) => faultOf(entry) === '301')
          return some(statuses(seen.after('expired')).filter(answered), met)
        },
      },
      {
        name: 'renews-once',
        level: 'SHOULD',
        source: 'document 3, section 5, rule 4',
        rule: 'One expired token is replaced by one.',
        advice: 'Let parallel calls wait for the same renewal.',
        judge: (seen) => none(tokens(seen.after('disturbed')).slice(1), tokens(seen.after('disturbed'))),
      },
    ],
  },
  {
    name: 'billing-unknown-error',
    task,
    prepare: ({ world }) =>
      world.faults.add({ match: { operation: 'getSubscriptionStatus' }, respond: { fault: -1 }, times: 2 }),
    play: (stage) => follow(stage, 1),
    checks: [
      {
        name: 'reads-faults-with-500',
        level: 'MUST',
        source: 'SOAP 1.1, section 6.2',
        rule: 'A fault comes with status 500, and is read; UNKNOWN_ERROR passes, and the token stays good.',
        advice: 'Read the body of a 500: only 300 and 301 concern the token.',
        judge: (seen) => {
          const further = tokens(seen).slice(1)
          return isEvidence(further) ? further : someOf(statuses(seen), answered)
        },
      },
    ],
  },
  {
    name: 'billing-invalid-secret',
    task: `${task} When the secret is refused, stop.`,
    prepare: ({ world }) => world.faults.add({ match: { operation: 'createServiceToken' }, respond: { fault: 300 } }),
    play: expecting({ operation: 'createServiceToken' }, { pause: 2500 }),
    checks: [
      {
        name: 'does-not-hammer',
        level: 'SHOULD',
        source: 'document 3, section 7',
        rule: 'A secret that is refused is not tried again and again.',
        advice: 'INVALID_SECRET does not pass by itself: stop, and tell somebody.',
        judge: (seen) => none(tokens(seen).slice(3), tokens(seen)),
      },
    ],
  },
  {
    name: 'billing-expired-again',
    task: `${task} Each token is refused as expired (301), a new one too: renewing it once more helps nobody.`,
    prepare: ({ world }) =>
      world.faults.add({ match: { operation: 'getSubscriptionStatus' }, respond: { fault: 301 } }),
    play: expecting({ operation: 'getSubscriptionStatus' }, { pause: 2500 }),
    checks: [
      {
        name: 'renews-with-an-end',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'A token that is refused as soon as it was got is not replaced without end.',
        advice: 'When a new token is refused as well, stop or wait, longer each time, and tell somebody.',
        judge: (seen) => none(tokens(seen).slice(5), tokens(seen)),
      },
    ],
  },
  {
    name: 'billing-cancelled',
    task:
      `${task} Ask as long as the purchase is good, and no longer: a cancelled one is good until its end date, by the ` +
      "world's clock (GET /_control/clock).",
    play: async (stage) => {
      const answered = { operation: 'getSubscriptionStatus', status: 200 }
      await follow(stage, 1)
      // Before it is: who asks at once has its CANCEL behind the mark.
      await stage.mark('cancelled')
      await stage.world.purchases.cancel('purchase-active', '1')
      await stage.until(answered, { after: 'cancelled' })
      // The first may have been on its way before; what comes behind a CANCEL shows that access goes on.
      await stage.may(answered, { after: 'cancelled', count: 3 })
      await stage.mark('ahead')
      await stage.world.clock.advance('P29D')
      await stage.world.clock.advance('P29D')
      await stage.mark('over')
      await stage.may(answered, { after: 'over' })
      await stage.pause(100)
      await stage.mark('ended')
      await stage.pause(900)
    },
    checks: [
      {
        name: 'keeps-access-to-the-end',
        level: 'MUST',
        source: 'document 3, section 3',
        rule: 'A cancelled item remains valid until the end of the current subscription period.',
        advice: 'Compare subscriptionEndDate with the time before access is cut: CANCEL alone ends nothing.',
        // That access goes on never shows: a question alone may be refused to the buyer by the client itself.
        judge: (seen) => {
          const told = statuses(seen.after('cancelled')).find(isCancelled)
          const later = statuses(seen.before('ahead')).filter(({ id }) => told && id > told.id)
          return told && later.length === 0 ? [told] : 'not met'
        },
      },
      {
        name: 'stops-behind-the-end',
        level: 'INFO',
        source: 'document 3, section 3',
        rule: 'When a cancelled purchase has ended, nobody asks for it any more.',
        advice: 'Compare subscriptionEndDate with the time; behind it, stop.',
        judge: (seen) => {
          const told = statuses(seen.after('cancelled')).find(isCancelled)
          const ahead = statuses(seen.after('cancelled')).filter(({ id }) => told && id > told.id)
          return none(statuses(seen.after('ended')).slice(1), ahead)
        },
      },
    ],
  },
  {
    name: 'billing-sunset',
    task: `${task} The interface is going away, a little longer each time.`,
    play: async (stage) => {
      const { world } = stage
      await follow(stage, 1)
      for (const times of [1, 2, 4]) {
        await world.faults.add({
          match: { operation: 'getSubscriptionStatus' },
          respond: { status: 503, retryAfter: 1 },
          times,
        })
        await stage.mark(`brownout ${times}`)
        await stage.until({ operation: 'getSubscriptionStatus', status: 200 }, { after: `brownout ${times}` })
      }
      await world.faults.add({ match: { operation: 'getSubscriptionStatus' }, respond: { status: 503 } })
      await stage.pause(200)
      await stage.mark('gone')
      await stage.pause(2500)
    },
    checks: [
      {
        name: 'outlives-brownouts',
        level: 'INFO',
        source: 'RFC 8594',
        rule: 'A client comes back after each of the growing brownouts.',
        advice: 'Keep what was known, and ask again later.',
        judge: (seen) => {
          const marks = [1, 2, 4].map((times) => statuses(seen.after(`brownout ${times}`)))
          return some(
            marks.every((calls) => calls.some(answered)) ? statuses(seen) : [],
            statuses(seen).filter(({ faults }) => faults),
          )
        },
      },
      {
        name: 'gets-calmer-at-the-end',
        level: 'INFO',
        source: 'RFC 8594',
        rule: 'When nothing answers any more the client asks less and less.',
        advice: 'Wait longer after each failure, and heed Deprecation and Sunset while there is time.',
        judge: (seen) => none(statuses(seen.after('gone')).slice(5), statuses(seen)),
      },
    ],
  },
  ...varied({
    document: 'billing',
    kinds: [...kindsOf('soap'), ...kindsOf('http')],
    task,
    play: expecting({ operation: 'createServiceToken' }, { next: { operation: 'getSubscriptionStatus', status: 200 } }),
    judge: (seen) => some(statuses(seen).filter(answered), calls(seen)),
  }),
]
