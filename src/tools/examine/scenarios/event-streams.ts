import type { VendorCloudWorld } from '#tools/client/world.ts'
import type { Chapter, Check } from '../check.ts'
import { SCRIPT, type Session } from '../session.ts'
import { resumes } from './event-resumption.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
export const TOKEN = 'token-home'
/** Reconnection time of event streams in milliseconds. */
export const RETRY = 600

export const task =
  'Create a subscription to all locations of VENDOR_CLOUD_TOKEN (POST /subscriptions), open its registrationUrl, and ' +
  'follow the stream until you are stopped.'

export async function emit({ events }: VendorCloudWorld, value: string): Promise<void> {
  await events.emit(LIGHT, { capability: 'switch', attribute: 'switch', value, force: true })
}

/** Calls `act` only after the client has opened a stream and received three events. */
export function onStream(act: (session: Session, subscriptionId: string) => Promise<unknown>): Chapter[number]['play'] {
  return async (session) => {
    const stream = await session.stream()
    if (!stream) return
    for (const value of ['on', 'off', 'on']) await emit(session.world, value)
    await session.until({ path: '*', operation: 'stream' }, { count: 1 })
    await session.pause(150)
    await session.settle()
    await session.mark('disturbed')
    await act(session, stream.subscriptionId)
  }
}

/** Opens a newer stream, which ends the client's stream. Returns a function that closes the newer stream. */
export async function takeOver({ world }: Session, subscriptionId: string): Promise<() => Promise<void>> {
  const newer = new AbortController()
  const stream = await world.fetch(`/filters/${subscriptionId}/activate?filterRegion=local`, {
    headers: { authorization: `Bearer ${TOKEN}`, 'user-agent': SCRIPT },
    signal: newer.signal,
  })
  return async () => {
    newer.abort()
    await stream.body?.cancel().catch(() => {})
  }
}

export function cut(
  name: string,
  injectFault: (session: Session, subscriptionId: string) => Promise<unknown>,
  check: Omit<Check, 'evaluate'> & Partial<Check>,
): Chapter[number] {
  return {
    name: `events-${name}`,
    task,
    play: onStream(async (session, subscriptionId) => {
      await injectFault(session, subscriptionId)
      await comeBack(session, 'disturbed')
    }),
    checks: [{ evaluate: resumes, ...check }],
  }
}

export async function breakOff(session: Session, subscriptionId: string, at: 'middle' | 'id'): Promise<void> {
  await session.injectFault(subscriptionId, { action: 'truncate', at })
  await emit(session.world, 'off')
}

export async function comeBack(session: Session, after: string): Promise<boolean> {
  const isBack = await session.until({ operation: 'stream', method: 'GET', status: 200 }, { after })
  await session.pause(50)
  return isBack
}

export const drop = (session: Session, id: string) => session.injectFault(id, { action: 'drop' })
