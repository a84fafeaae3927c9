import type { JournalEntry } from '#tools/client/types.ts'
import { type Check, header, noneOf } from '../check.ts'
import type { Transcript } from '../transcript.ts'

export const asks = (transcript: Transcript) => transcript.requests('checkAvailability')

const parameter = ({ query = '' }: JournalEntry, name: string) => new URLSearchParams(query).get(name) ?? ''
const lacksPartner = (entry: JournalEntry) => header(entry, 'partnercode') === undefined
const lacksService = (entry: JournalEntry) => parameter(entry, 'serviceType') !== 'WALLET'
const lacksModel = (entry: JournalEntry) => !/^.{1,64}$/s.test(parameter(entry, 'modelName'))

/** A fault of the script is none of the client's, and some refusals have checks of their own. */
function isInexact(entry: JournalEntry): boolean {
  const { status, faults } = entry
  return status === 400 && !faults && !lacksPartner(entry) && !lacksService(entry) && !lacksModel(entry)
}

export const walletAlways: readonly Check[] = [
  {
    name: 'sends-partner-code',
    level: 'MUST',
    source: 'document 2, section 5, rule 3',
    rule: 'The check carries the partner code in the header partnerCode.',
    advice: 'Send VENDOR_CLOUD_PARTNER_CODE in the header partnerCode.',
    judge: (transcript) => noneOf(asks(transcript), lacksPartner),
  },
  {
    name: 'asks-for-wallet',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'serviceType is exactly WALLET.',
    advice: 'Send serviceType=WALLET.',
    judge: (transcript) => noneOf(asks(transcript), lacksService),
  },
  {
    name: 'names-a-model',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'modelName is sent, 1 to 64 characters.',
    advice: 'Send the model name of the device.',
    judge: (transcript) => noneOf(asks(transcript), lacksModel),
  },
  {
    name: 'sends-exact-parameters',
    level: 'MUST',
    source: 'document 2, section 7',
    rule: 'No parameter is refused: each has the form and the length that the check takes.',
    advice: 'Read `why` of the entries: countryCode, where it is sent, is one of two letters, such as US.',
    judge: (transcript) => noneOf(asks(transcript), isInexact),
  },
  {
    name: 'asks-the-versioned-path',
    level: 'MUST',
    source: 'document 2, section 9',
    rule: 'The path carries the version segment v2.0.',
    advice: 'Ask /wallet/cmn/v2.0/device/available.',
    judge: (transcript) =>
      noneOf(
        transcript.requests(),
        ({ path = '', operation }) => path.startsWith('/wallet') && operation === undefined,
      ),
  },
]
