import type { FaultDraft } from '#tools/client/types.ts'
import { between, type Chapter, type Check, someOf, type Verdict } from '../check.ts'
import type { Transcript } from '../transcript.ts'
import { expecting } from '../session.ts'
import { gatewayPage, loginPage } from './support-faults.ts'

type Lookup = Omit<Check, 'name' | 'evaluate'> &
  Partial<Check> & {
    problem: string
    respond: FaultDraft['respond']
  }

function lookup({ problem, respond, ...check }: Lookup): Chapter[number] {
  return {
    name: `support-lookup-${problem}`,
    task: 'Look up the zip code 07660 (operation 30) until you have it.',
    fault: { match: { operation: 30 }, times: 1, respond },
    play: expecting({ operation: 30 }, { next: { operation: 30 }, count: 2, pause: 50 }),
    checks: [
      {
        name: `survives-${problem}`,
        // The world's profile may also reject the next request. This check ignores such a rejection.
        evaluate: (transcript) => someOf(transcript.requests(30), ({ faults }) => !faults),
        ...check,
      },
    ],
  }
}

/** The times in the journal are accurate only to a few milliseconds. */
function waited(transcript: Transcript, seconds: number): Verdict {
  const [first, second] = transcript.requests(30)
  if (!first || !second) return 'not covered'
  return between(first, second) >= seconds * 1000 - 20 ? 'passed' : [first, second]
}

export const lookups: Chapter = [
  lookup({
    problem: 'unavailable',
    respond: { status: 503, retryAfter: 1 },
    name: 'honours-retry-after',
    level: 'SHOULD',
    source: 'RFC 9110, section 10.2.3',
    rule: 'A client does not retry before the time in Retry-After has passed.',
    advice: 'Wait for the number of seconds in Retry-After.',
    evaluate: (transcript) => waited(transcript, 1),
  }),
  lookup({
    problem: 'too-many',
    respond: { status: 429, retryAfter: 1 },
    name: 'slows-down',
    level: 'SHOULD',
    source: 'RFC 6585, section 4',
    rule: 'A client that exceeded its rate limit waits as long as the server says.',
    advice: 'Treat 429 like 503: wait for the time in Retry-After, then continue.',
    evaluate: (transcript) => waited(transcript, 1),
  }),
  lookup({
    problem: 'error',
    respond: { status: 500 },
    level: 'SHOULD',
    source: 'document 1, section 7',
    rule: 'The client retries after status 500, because GET is safe.',
    advice: 'Repeat a GET after a short pause, a few times.',
  }),
  lookup({
    problem: 'reset',
    respond: { reset: true },
    level: 'SHOULD',
    source: 'RFC 9110, section 9.2.2',
    rule: 'The client retries after a broken connection, because GET is idempotent.',
    advice: 'Catch the connection error and retry.',
  }),
  lookup({
    problem: 'cut',
    respond: { cut: 20 },
    level: 'MUST',
    source: 'RFC 9112, section 8',
    rule: 'The client does not use an incomplete response.',
    advice: 'Compare the received bytes with content-length, and retry.',
  }),
  lookup({
    problem: 'garbage',
    respond: { garbage: true },
    level: 'SHOULD',
    source: 'RFC 8259, section 2',
    rule: 'The client handles a response that is not JSON like any other error.',
    advice: 'Catch the parser error, and retry.',
  }),
  lookup({
    problem: 'gateway-page',
    respond: gatewayPage,
    level: 'SHOULD',
    source: 'RFC 9110, section 15.6.4',
    rule: 'The client handles a 503 with an HTML page of a gateway like any other 503.',
    advice: 'Check the status before you parse the body, and retry.',
  }),
  lookup({
    problem: 'login-page',
    respond: loginPage,
    level: 'SHOULD',
    source: 'RFC 9110, section 8.3',
    rule:
      'An HTML page with the status 200 is not a valid response, because its content type is not that of the ' +
      'operation.',
    advice: 'Check the content type, or catch the parser error, and retry.',
  }),
]
