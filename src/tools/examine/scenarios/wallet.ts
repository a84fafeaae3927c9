import type { JournalEntry } from '#tools/client/types.ts'
import { beyond, type Chapter, type Check, header, none, noneOf, someOf } from '../check.ts'
import { expecting } from '../session.ts'
import { kindsOf, varied } from './variation.ts'
import type { Transcript } from '../transcript.ts'

const asks = (transcript: Transcript) => transcript.requests('checkAvailability')

const parameter = ({ query = '' }: JournalEntry, name: string) => new URLSearchParams(query).get(name) ?? ''
const lacksPartner = (entry: JournalEntry) => header(entry, 'partnercode') === undefined
const lacksService = (entry: JournalEntry) => parameter(entry, 'serviceType') !== 'WALLET'
const lacksModel = (entry: JournalEntry) => !/^.{1,64}$/s.test(parameter(entry, 'modelName'))

/** The client is not to blame for faults that the scenario injects. Some validation errors have separate checks. */
function isInexact(entry: JournalEntry): boolean {
  const { status, faults } = entry
  return status === 400 && !faults && !lacksPartner(entry) && !lacksService(entry) && !lacksModel(entry)
}

export const walletAlways: readonly Check[] = [
  {
    name: 'sends-partner-code',
    level: 'MUST',
    source: 'document 2, section 5, rule 3',
    rule: 'The request has the partner code in the header partnerCode.',
    advice: 'Send the value of VENDOR_CLOUD_PARTNER_CODE in the header partnerCode.',
    evaluate: (transcript) => noneOf(asks(transcript), lacksPartner),
  },
  {
    name: 'asks-for-wallet',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'The value of serviceType is exactly WALLET.',
    advice: 'Send serviceType=WALLET.',
    evaluate: (transcript) => noneOf(asks(transcript), lacksService),
  },
  {
    name: 'names-a-model',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'The client sends a modelName of 1 to 64 characters.',
    advice: 'Send the model name of the device.',
    evaluate: (transcript) => noneOf(asks(transcript), lacksModel),
  },
  {
    name: 'sends-exact-parameters',
    level: 'MUST',
    source: 'document 2, section 7',
    rule: 'Each parameter has the required format and length.',
    advice: 'Read `why` in the journal entries. A countryCode has two letters, such as US.',
    evaluate: (transcript) => noneOf(asks(transcript), isInexact),
  },
  {
    name: 'asks-the-versioned-path',
    level: 'MUST',
    source: 'document 2, section 9',
    rule: 'The path has the version segment v2.0.',
    advice: 'Ask /wallet/cmn/v2.0/device/available.',
    evaluate: (transcript) =>
      noneOf(
        transcript.requests(),
        ({ path = '', operation }) => path.startsWith('/wallet') && operation === undefined,
      ),
  },
]

const task =
  'Check whether the wallet is available for the model VM-S100 (GET /wallet/cmn/v2.0/device/available) until you ' +
  'get an answer.'
/** Milliseconds to observe whether the client retries without a pause. */
const WATCHED = 2000
const codeOf = ({ response }: JournalEntry) => (response?.body as { resultCode?: string } | undefined)?.resultCode

function askedFor({ query = '', request }: JournalEntry): string {
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`)
  return JSON.stringify([parameters.toSorted(), request?.headers['partnercode']])
}

export const wallet: Chapter = [
  {
    name: 'wallet-away',
    task,
    fault: { match: { operation: 'checkAvailability' }, respond: { resultCode: 'CMN4N8003' }, times: 1 },
    play: expecting({ operation: 'checkAvailability' }, { next: { operation: 'checkAvailability', status: 200 } }),
    checks: [
      {
        name: 'asks-again-after-500',
        level: 'SHOULD',
        source: 'document 2, section 7',
        rule: 'CMN4N8003 with status 500 is temporary: the client repeats the check.',
        advice:
          'Retry after a pause: the database of the service is unavailable, and the result says nothing about the ' +
          'device.',
        evaluate: (transcript) => someOf(asks(transcript), ({ status }) => status === 200),
      },
    ],
  },
  {
    name: 'wallet-refused',
    task: `${task} If the model is rejected, check another model, or give up.`,
    fault: { match: { operation: 'checkAvailability' }, respond: { resultCode: 'CMN1N1002' } },
    play: expecting({ operation: 'checkAvailability' }, { pause: 700 }),
    checks: [
      {
        name: 'takes-result-codes',
        level: 'MUST',
        source: 'document 2, section 7',
        rule: 'A resultCode with status 400 is final: the client does not repeat the same check.',
        advice: 'Show resultMessage to the user, and fix the parameter that it names.',
        evaluate: (transcript) => {
          const refused = asks(transcript).filter((entry) => codeOf(entry) !== '0')
          const again = refused.filter((entry, i) =>
            refused.slice(0, i).some((each) => askedFor(each) === askedFor(entry)),
          )
          return none(again, refused)
        },
      },
    ],
  },
  {
    name: 'wallet-down',
    task: `${task} The service stays unavailable: send fewer and fewer requests, or give up.`,
    fault: { match: { operation: 'checkAvailability' }, respond: { resultCode: 'CMN4N8003' } },
    play: expecting({ operation: 'checkAvailability' }, { pause: WATCHED + 300 }),
    checks: [
      {
        name: 'spares-the-wallet',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'A client sends at most five requests in two seconds to an unavailable service.',
        advice: 'Wait longer after each failure, and give up after a few attempts.',
        evaluate: (transcript) => none(beyond(asks(transcript), 5, WATCHED), asks(transcript)),
      },
    ],
  },
  ...varied({
    document: 'wallet',
    kinds: [...kindsOf('json'), ...kindsOf('http')],
    task: 'Check whether the wallet is available for the model VM-S100. If it is, check VM-S200 too.',
    play: expecting({ operation: 'checkAvailability' }, { next: { operation: 'checkAvailability' }, count: 2 }),
    evaluate: (transcript) => someOf(asks(transcript), ({ query }) => query?.includes('VM-S200')),
  }),
]
