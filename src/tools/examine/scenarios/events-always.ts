import { type Check, header, none, noneOf } from '../check.ts'
import type { Transcript } from '../transcript.ts'

export const STANDARD = 'HTML Standard, section 9.2'

export const opens = (transcript: Transcript) => transcript.requests('stream').filter(({ method }) => method === 'GET')
export const creations = (transcript: Transcript) => transcript.requests('createSubscription')

export const eventsAlways: readonly Check[] = [
  {
    name: 'sends-bearer',
    level: 'MUST',
    source: 'document 2, section 5, rule 1',
    rule: 'Requests of subscription operations have the header Authorization: Bearer.',
    advice: 'Send the access token with each operation.',
    evaluate: (transcript) =>
      noneOf(
        transcript.requests('createSubscription', 'getSubscription', 'updateSubscription', 'deleteSubscription'),
        (entry) => header(entry, 'authorization') === undefined,
      ),
  },
  {
    name: 'keeps-token-out-of-addresses',
    level: 'SHOULD',
    source: 'RFC 6750, section 5.3',
    rule: 'No URL contains the access token.',
    advice: 'Send it in the Authorization header, because URLs are logged.',
    evaluate: (transcript) => noneOf(transcript.requests(), ({ query = '' }) => /token=/i.test(query)),
  },
  {
    name: 'follows-the-address',
    level: 'MUST',
    source: 'document 2, section 4',
    rule: 'The stream is opened at exactly the registrationUrl.',
    advice: 'Use the URL unchanged, with its query.',
    evaluate: (transcript) =>
      none(
        transcript.requests().filter(({ operation, method, path = '', query = '' }) => {
          // Browsers request an icon and send preflight requests on their own.
          if (operation === undefined) return path !== '/favicon.ico' && method !== 'OPTIONS'
          return operation === 'stream' && !query.includes('key=')
        }),
        opens(transcript),
      ),
  },
  {
    name: 'one-stream-at-a-time',
    level: 'MUST',
    source: 'document 2, section 8',
    rule: 'A user has at most one open stream per token.',
    advice: 'Close a stream before you open another, even for the same subscription.',
    evaluate: (transcript) => {
      const refused = opens(transcript).filter(({ status, faults }) => status === 409 && !faults)
      // After a connection is cut, a client may reconnect before the server has noticed the cut.
      const beside = opens(transcript.before('disturbed')).filter(({ tookOver }) => tookOver)
      return none([...refused, ...beside], opens(transcript))
    },
  },
  {
    name: 'asks-for-an-event-stream',
    level: 'SHOULD',
    source: `${STANDARD}.2`,
    rule: 'Accept includes text/event-stream.',
    advice: 'Send Accept: text/event-stream when you open the stream.',
    evaluate: (transcript) =>
      noneOf(opens(transcript), (entry) => !/text\/event-stream/.test(header(entry, 'accept') ?? '')),
  },
]
