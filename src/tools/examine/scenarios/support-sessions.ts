import { ControlError } from '#tools/client/errors.ts'
import { type Chapter, some } from '../check.ts'
import { known } from '../known.ts'
import type { Session } from '../session.ts'
import { succeeded } from './support-always.ts'

/** A span of the world's clock, after which the offered slots can still be booked. */
const SESSION = 'PT5M'

const held = { match: { operation: 33 }, delayMs: 60_000, times: 1, name: 'held-booking' }

/** The sessions of both callers begin with the scenario; whatever else bends the world stays. */
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

/** The booking waits outside until the session of who sent it is over. */
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

/** A session that ends between two calls of one booking. */
export function sessions(book: string): Chapter {
  return [
    {
      name: 'support-session-ends',
      task:
        `${book} Your session ends on the way: at 401 sign in again and go on. In the place of the vendor's sign-in ` +
        'stands POST /_control/sessions {"identity": "profile:PROF_ID"}.',
      prepare: beginSessions,
      play: endSessions,
      checks: [
        {
          name: 'signs-in-again',
          level: 'SHOULD',
          source: 'document 1, section 7',
          rule: 'A 401 in the middle is answered by signing in, and what was refused is sent once more.',
          advice: 'Treat 401 as the end of a session: get another one, then repeat the call that met it.',
          judge: (transcript) => {
            const refused = transcript.requests(33).find(({ status }) => status === 401)
            if (!refused) return 'not met'
            const later = transcript.requests(33).filter(({ id }) => id > refused.id)
            return some(later.filter(succeeded), [refused, ...later])
          },
        },
      ],
    },
  ]
}
