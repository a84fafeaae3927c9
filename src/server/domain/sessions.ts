import { millisecondsOf } from '#contract/records/duration.ts'
import type { SessionAnswer } from '#contract/records/control/session.ts'
import type { Ports } from '../ports.ts'
import type { View } from '../ports/store.ts'
import { DomainError, finding, invalidInput } from './errors.ts'
import { forgetOldest } from './oldest.ts'

const MOST_SESSIONS = 100_000

/** Choice `session-lifetime`: if the session of the identity has expired, throws 401 until the session is renewed. */
export async function assertSession(ports: Ports, identity: string): Promise<void> {
  const { store, clock } = ports
  const lifetime = lifetimeOf(ports)
  const kept = await store.sessions.get(identity)
  if (!kept) await begin(ports, identity, { anew: false })
  else if (clock.now() >= Date.parse(kept.since) + lifetime) throw sessionOver()
}

function sessionOver(): DomainError {
  return new DomainError('unauthenticated', 'the session of this identity has expired', {
    source: 'our choice: session-lifetime',
    hint: 'POST /_control/sessions renews it',
  })
}

export async function renewSession(ports: Ports, given: string): Promise<SessionAnswer> {
  const identity = await requireIdentity(ports.store, given)
  const since = await begin(ports, identity, { anew: true })
  const lifetime = lifetimeOf(ports)
  return {
    identity,
    since,
    ...(lifetime !== Infinity && { endsAt: new Date(Date.parse(since) + lifetime).toISOString() }),
  }
}

function lifetimeOf({ world }: Ports): number {
  const lifetime = world.choices['session-lifetime']
  return lifetime === 'none' ? Infinity : millisecondsOf(lifetime)
}

function begin({ store, clock }: Ports, identity: string, { anew }: { anew: boolean }): Promise<string> {
  return store.transaction(async (tx) => {
    const kept = await tx.sessions.get(identity)
    if (kept && !anew) return kept.since
    const since = new Date(clock.now()).toISOString()
    if (!kept) await forgetOldest(tx.sessions, MOST_SESSIONS)
    await tx.sessions.put({ identity, since })
    return since
  })
}

/** With a prefix, the identity does not have to exist. Without one, exactly one known identity must match. */
async function requireIdentity({ profiles, sessions }: View, given: string): Promise<string> {
  const refuse = (rule: string) =>
    invalidInput([finding('body.identity', rule, { source: 'our choice: session-lifetime' })])
  if (/^(profile|guid):/.test(given)) {
    if (/^[a-z]+:[\x20-\x7e]{1,512}$/.test(given)) return given
    throw refuse('must have 1 to 512 printable characters after the colon')
  }
  const both = [`profile:${given}`, `guid:${given}`]
  const known: string[] = []
  for (const each of both) if ((await profiles.get(each)) || (await sessions.get(each))) known.push(each)
  const [one, another] = known
  if (one !== undefined && another === undefined) return one
  throw refuse(
    another === undefined ? `is not a known identity. Use ${both.join(' or ')}` : `fits ${both.join(' and ')}`,
  )
}
