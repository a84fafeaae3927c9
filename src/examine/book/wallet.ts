import type { JournalEntry } from '../../client/world.ts'
import { type Chapter, type Check, header, none, noneOf, type Seen, someOf } from '../check.ts'
import { expecting } from '../stage.ts'
import { varied } from './variation.ts'

const asks = (seen: Seen) => seen.requests('checkAvailability')
const task =
  'Ask whether the wallet is available for the model VM-S100 (GET /wallet/cmn/v2.0/device/available) until you know.'
const codeOf = ({ response }: JournalEntry) => (response?.body as { resultCode?: string } | undefined)?.resultCode

export const walletAlways: readonly Check[] = [
  {
    name: 'sends-partner-code',
    level: 'MUST',
    source: 'document 2, section 5, rule 3',
    rule: 'The check carries the partner code in the header partnerCode.',
    advice: 'Send VENDOR_CLOUD_PARTNER_CODE in the header partnerCode.',
    judge: (seen) => noneOf(asks(seen), (entry) => header(entry, 'partnercode') === undefined),
  },
  {
    name: 'asks-for-wallet',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'serviceType is exactly WALLET.',
    advice: 'Send serviceType=WALLET.',
    judge: (seen) =>
      noneOf(asks(seen), ({ query }) => new URLSearchParams(query ?? '').get('serviceType') !== 'WALLET'),
  },
  {
    name: 'names-a-model',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'modelName is sent, 1 to 64 characters.',
    advice: 'Send the model name of the device.',
    judge: (seen) =>
      noneOf(asks(seen), ({ query }) => {
        const { length } = new URLSearchParams(query ?? '').get('modelName') ?? ''
        return length === 0 || length > 64
      }),
  },
  {
    name: 'asks-the-versioned-path',
    level: 'MUST',
    source: 'document 2, section 9',
    rule: 'The path carries the version segment v2.0.',
    advice: 'Ask /wallet/cmn/v2.0/device/available.',
    judge: (seen) =>
      noneOf(seen.requests(), ({ path = '', operation }) => path.startsWith('/wallet') && operation === undefined),
  },
]

export const wallet: Chapter = [
  {
    name: 'wallet-away',
    task,
    prepare: ({ world }) =>
      world.faults.add({ match: { operation: 'checkAvailability' }, respond: { resultCode: 'CMN4N8003' }, times: 1 }),
    play: expecting({ operation: 'checkAvailability' }, { next: { operation: 'checkAvailability', status: 200 } }),
    checks: [
      {
        name: 'asks-again-after-500',
        level: 'SHOULD',
        source: 'document 2, section 7',
        rule: 'CMN4N8003 with status 500 passes: the check is made again.',
        advice: 'Try again after a pause; the database is away, not the device.',
        judge: (seen) => someOf(asks(seen), ({ status }) => status === 200),
      },
    ],
  },
  {
    name: 'wallet-refused',
    task,
    prepare: ({ world }) =>
      world.faults.add({ match: { operation: 'checkAvailability' }, respond: { resultCode: 'CMN1N1002' } }),
    play: expecting({ operation: 'checkAvailability' }, { pause: 700 }),
    checks: [
      {
        name: 'takes-result-codes',
        level: 'MUST',
        source: 'document 2, section 7',
        rule: 'A resultCode with status 400 is final: the same check is not made again.',
        advice: 'Tell people what resultMessage says, and mend the parameter that it names.',
        judge: (seen) =>
          none(
            asks(seen).slice(1),
            asks(seen).filter((entry) => codeOf(entry) !== '0'),
          ),
      },
    ],
  },
  ...varied({
    document: 'wallet',
    kinds: ['json-order', 'json-extra', 'json-space', 'json-escape', 'http-chunked'],
    task: 'Ask whether the wallet is available for the model VM-S100; when it is, ask for VM-S200 too.',
    play: expecting({ operation: 'checkAvailability' }, { next: { operation: 'checkAvailability' }, count: 2 }),
    judge: (seen) => someOf(asks(seen), ({ query }) => query?.includes('VM-S200')),
  }),
]
