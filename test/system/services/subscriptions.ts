import { ALL, asBearer, type CreatedSubscription, LIGHT } from '../../helpers/documents/events.ts'
import { openStream, type StreamReader, valueIn } from '../../helpers/documents/stream-reader.ts'
import { send } from './installation.ts'

const HOME = '11111111-0000-4000-8000-000000000001'

/**
 * Creates a new token for each test, because the tokens of a killed instance's streams stay in use until the lease of
 * the instance expires.
 */
export async function makeToken(url: string): Promise<string> {
  const scopes = ['r:devices:*', 'r:locations:*']
  const draft = { user: 'alice-home', scopes, locations: [HOME], expiresIn: 3600 }
  return (await send('POST', `${url}/_control/tokens`, draft)).body['accessToken'] as string
}

export async function subscribe(url: string, token?: string): Promise<CreatedSubscription> {
  const draft = { name: 'test', subscriptionFilters: ALL }
  const headers = asBearer(token ?? (await makeToken(url)))
  return (await send('POST', `${url}/subscriptions`, draft, headers)).body as unknown as CreatedSubscription
}

/**
 * Opens the stream of a subscription on the instance at this URL, regardless of which instance created the
 * subscription.
 */
export function openAt(
  url: string,
  { registrationUrl }: CreatedSubscription,
  headers: Record<string, string> = {},
): Promise<StreamReader> {
  return openStream(url + registrationUrl.replace(/^https?:\/\/[^/]+/, ''), headers)
}

export async function emit(url: string, value: number): Promise<number> {
  const event = { capability: 'switchLevel', attribute: 'level', value, force: true }
  return (await send('POST', `${url}/_control/devices/${LIGHT}/events`, event)).status
}

/** Returns the values of `count` device events, or fewer if the stream ends. */
export async function values(reader: StreamReader, count: number): Promise<unknown[]> {
  const found: unknown[] = []
  while (found.length < count) {
    const block = await reader.next()
    if (!block) break
    if (block.event === 'DEVICE_EVENT') found.push(valueIn(block))
  }
  return found
}

export const lastId = (reader: StreamReader): string => reader.blocks.findLast(({ id }) => id !== undefined)!.id!
