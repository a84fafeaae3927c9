import type { FaultDraft } from '#tools/client/types.ts'
import { between, type Chapter, type Check, someOf, type Verdict } from '../check.ts'
import type { Transcript } from '../transcript.ts'
import { expecting } from '../session.ts'
import { gatewayPage, loginPage } from './support-disturbances.ts'

type Lookup = Omit<Check, 'name' | 'judge'> &
  Partial<Check> & {
    trouble: string
    respond: FaultDraft['respond']
  }

function lookup({ trouble, respond, ...check }: Lookup): Chapter[number] {
  return {
    name: `support-lookup-${trouble}`,
    task: 'Look up the zip code 07660 (30) until you have it.',
    fault: { match: { operation: 30 }, times: 1, respond },
    play: expecting({ operation: 30 }, { next: { operation: 30 }, count: 2, pause: 50 }),
    checks: [
      {
        name: `survives-${trouble}`,
        // A profile may reject the call that follows, which is then not the concern of this check.
        judge: (transcript) => someOf(transcript.requests(30), ({ faults }) => !faults),
        ...check,
      },
    ],
  }
}

/** The journal's times are exact to a few milliseconds only. */
function waited(transcript: Transcript, seconds: number): Verdict {
  const [first, second] = transcript.requests(30)
  if (!first || !second) return 'not met'
  return between(first, second) >= seconds * 1000 - 20 ? 'passed' : [first, second]
}

export const lookups: Chapter = [
  lookup({
    trouble: 'unavailable',
    respond: { status: 503, retryAfter: 1 },
    name: 'honours-retry-after',
    level: 'SHOULD',
    source: 'RFC 9110, section 10.2.3',
    rule: 'A client that is told to come again in a second does not come sooner.',
    advice: 'Wait as many seconds as Retry-After says.',
    judge: (transcript) => waited(transcript, 1),
  }),
  lookup({
    trouble: 'too-many',
    respond: { status: 429, retryAfter: 1 },
    name: 'slows-down',
    level: 'SHOULD',
    source: 'RFC 6585, section 4',
    rule: 'A client that asked too much waits as long as it is told.',
    advice: 'Treat 429 as 503: wait for Retry-After, then go on.',
    judge: (transcript) => waited(transcript, 1),
  }),
  lookup({
    trouble: 'error',
    respond: { status: 500 },
    level: 'SHOULD',
    source: 'document 1, section 7',
    rule: 'A 500 is got over by asking again: GET is safe.',
    advice: 'Try a GET again after a short pause, a few times.',
  }),
  lookup({
    trouble: 'reset',
    respond: { reset: true },
    level: 'SHOULD',
    source: 'RFC 9110, section 9.2.2',
    rule: 'A connection that breaks is got over by asking again: GET is idempotent.',
    advice: 'Catch the error of the connection and try again.',
  }),
  lookup({
    trouble: 'cut',
    respond: { cut: 20 },
    level: 'MUST',
    source: 'RFC 9112, section 8',
    rule: 'An answer that breaks off is incomplete and is not used.',
    advice: 'Count what came against content-length, and ask again.',
  }),
  lookup({
    trouble: 'garbage',
    respond: { garbage: true },
    level: 'SHOULD',
    source: 'RFC 8259, section 2',
    rule: 'An answer that is no JSON is an error like any other.',
    advice: 'Catch what the parser throws, and ask again.',
  }),
  lookup({
    trouble: 'gateway-page',
    respond: gatewayPage,
    level: 'SHOULD',
    source: 'RFC 9110, section 15.6.4',
    rule: 'A 503 with the page of a gateway in the place of JSON is got over like any other.',
    advice: 'Look at the status before the body is parsed, and ask again.',
  }),
  lookup({
    trouble: 'login-page',
    respond: loginPage,
    level: 'SHOULD',
    source: 'RFC 9110, section 8.3',
    rule: 'A page under 200 is no answer: its content type is not that of the operation.',
    advice: 'Look at the content type, or catch what the parser throws, and ask again.',
  }),
]
