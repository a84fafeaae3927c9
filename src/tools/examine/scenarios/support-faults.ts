import { ControlError } from '#tools/client/errors.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import { between, type Chapter, none, some } from '../check.ts'
import { known } from '../known.ts'
import type { Transcript } from '../transcript.ts'
import { expecting, type Session } from '../session.ts'
import { RULES, succeeded } from './support-always.ts'

const lookups = (transcript: Transcript) => transcript.requests(30)

/** Seconds that clients are asked to wait, and seconds until maintenance ends after the first rejected request. */
const COME_BACK = 1
const GOES_ON = 1.2

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const page = (title: string) => `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body></body></html>\n`

/** A gateway responds with HTML, which clients must not parse as JSON. */
export const gatewayPage = { status: 503, headers: HTML, body: page('503 Service Unavailable') }
export const loginPage = { status: 200, headers: HTML, body: page('Sign in') }

const maintenance = {
  match: { path: '/stg/*' },
  respond: { status: 503, retryAfter: COME_BACK, headers: HTML, body: page('Maintenance') },
  name: 'maintenance',
}

/** Maintenance lasts at least until the client's first request, because the client needs time to start. */
async function maintain(session: Session): Promise<void> {
  const { world } = session
  const { items } = await world.faults.list()
  const endless = items.find(({ name, profile }) => name === maintenance.name && profile === undefined)
  await session.need({ operation: 30 })
  const { now } = await world.clock.read()
  await world.faults.add({ ...maintenance, until: new Date(Date.parse(now) + GOES_ON * 1000).toISOString() })
  if (endless) await world.faults.remove(endless.faultId)
  await session.until({ operation: 30, status: 200 })
  await session.pause(50)
}

function tooSoon(calls: readonly JournalEntry[]): JournalEntry[] {
  return calls.filter((call, i) => {
    const earlier = calls[i - 1]
    return earlier?.faults && between(earlier, call) < COME_BACK * 1000 - 20
  })
}

function requestsAfterCancellation(transcript: Transcript, operation: number): JournalEntry[] {
  const [first] = transcript.requests(31)
  return first ? transcript.requests(operation).filter(({ id }) => id > first.id) : []
}

/** Lifetime of a session on the clock of the world. The offered slots can still be booked after that time. */
const SESSION = 'PT5M'

const held = { match: { operation: 33 }, delayMs: 60_000, times: 1, name: 'held-booking' }

/** Starts the sessions of both callers together with the scenario. The rest of the profile is unchanged. */
async function beginSessions({ world }: Session): Promise<void> {
  const own = await world.profile.read().catch(isPlain)
  const choices = { ...own?.choices, 'session-lifetime': SESSION }
  await world.profile.set({ ...own, profile: 'support-session-ends', choices })
  for (const identity of [`profile:${known.VENDOR_CLOUD_PROF_ID}`, `guid:${known.VENDOR_CLOUD_GUID}`]) {
    await world.sessions.renew(identity)
  }
  await world.faults.add(held)
}

function isPlain(error: unknown): undefined {
  if (!(error instanceof ControlError) || error.status !== 404) throw error
}

/** Holds back the booking until the session of its sender has expired. */
async function endSessions(session: Session): Promise<void> {
  const { world } = session
  await session.came(33)
  await world.clock.advance(SESSION)
  const { items } = await world.faults.list()
  const fault = items.find(({ name, profile }) => name === held.name && profile === undefined)
  if (fault) await world.faults.remove(fault.faultId)
  await session.need({ operation: 33 })
  await session.until({ operation: 33, status: 200 })
}

/** Scenarios for problems other than plain errors: maintenance, HTML pages, redirects and unusual success responses. */
export function streamFaults(book: string): Chapter {
  return [
    {
      name: 'support-maintenance',
      task:
        'Look up the zip code 07660 (operation 30) until you have it. The vendor is under maintenance, and its ' +
        'responses say for how long.',
      fault: maintenance,
      play: maintain,
      checks: [
        {
          name: 'waits-out-maintenance',
          level: 'SHOULD',
          source: 'RFC 9110, section 10.2.3',
          rule: 'During maintenance a client retries after each Retry-After, and continues afterwards.',
          advice: 'After each 503, wait for the number of seconds in Retry-After, whatever the body is, and retry.',
          evaluate: (transcript) => {
            const calls = lookups(transcript)
            const soon = tooSoon(calls)
            return soon.length > 0
              ? none(soon, calls)
              : some(
                  calls.filter(({ faults }) => !faults),
                  calls,
                )
          },
        },
      ],
    },
    {
      name: 'support-cancel',
      task: `${book.replace(', look at it (operation 34).', '.')} Then cancel it (operation 31) once, and read it.`,
      fault: { match: { operation: 31 }, respond: { status: 204 } },
      play: expecting({ operation: 31 }, { next: { operation: 34 }, pause: 100 }),
      checks: [
        {
          name: 'takes-204-for-a-body',
          level: 'MUST',
          source: RULES,
          rule:
            '204, which document 1 also declares, means that it is cancelled. It has no body and nothing to ' +
            'repeat.',
          advice: 'Check the status before you parse the body. 204 means the same as `{"cancelled": true}`.',
          evaluate: (transcript) => {
            const [first] = transcript.requests(31)
            if (!first) return 'not covered'
            const again = requestsAfterCancellation(transcript, 31)
            return again.length > 0 ? none(again, again) : some(requestsAfterCancellation(transcript, 34), [first])
          },
        },
      ],
    },
    {
      name: 'support-session-ends',
      task:
        `${book} Your session ends during the scenario: on 401 sign in again and continue. In place of the ` +
        'vendor\'s sign-in, call POST /_control/sessions {"identity": "profile:PROF_ID"}.',
      prepare: beginSessions,
      play: endSessions,
      checks: [
        {
          name: 'signs-in-again',
          level: 'SHOULD',
          source: 'document 1, section 7',
          rule: 'After a 401, the client signs in again and repeats the request once.',
          advice: 'Treat 401 as the end of a session: get a new one, then repeat the call.',
          evaluate: (transcript) => {
            const refused = transcript.requests(33).find(({ status }) => status === 401)
            if (!refused) return 'not covered'
            const later = transcript.requests(33).filter(({ id }) => id > refused.id)
            return some(later.filter(succeeded), [refused, ...later])
          },
        },
      ],
    },
  ]
}
