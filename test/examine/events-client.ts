import { setTimeout as wait } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import type { TestClient } from './clients.ts'

const HOME = '11111111-0000-4000-8000-000000000001'

/** Follows a stream as the standard has it; `flaw` is the one check that it fails. */
export const eventsClient: TestClient = async (environment, signal, flaw) => {
  const { VENDOR_CLOUD_URL: url = '', HEARTBEAT_SECONDS: heartbeat = '1' } = environment
  const has = (name: string) => flaw === name
  let token = environment['VENDOR_CLOUD_TOKEN']!
  let retry = 1000

  async function subscribe(): Promise<{ subscriptionId: string; registrationUrl: string } | undefined> {
    const body = JSON.stringify({
      name: 'all',
      version: 1,
      subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }],
    })
    const headers = {
      ...(!has('sends-bearer') && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
    }
    const query = has('keeps-token-out-of-addresses') ? `?access_token=${token}` : ''
    const reply = await fetch(`${url}/subscriptions${query}`, { method: 'POST', body, headers, signal })
    if (reply.status === 401 && has('sends-bearer')) {
      const again = { ...headers, authorization: `Bearer ${token}` }
      return (await fetch(`${url}/subscriptions`, { method: 'POST', body, headers: again, signal })).json() as never
    }
    if (reply.status === 401 && !has('renews-its-token')) {
      const { accessToken } = (await (
        await fetch(`${url}/_control/tokens`, {
          method: 'POST',
          body: JSON.stringify({ user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 3600 }),
          headers: { 'content-type': 'application/json' },
          signal,
        })
      ).json()) as { accessToken: string }
      token = accessToken
      return subscribe()
    }
    return reply.status === 200 ? ((await reply.json()) as never) : undefined
  }

  let lastId = ''
  let created = await subscribe()
  if (has('follows-the-address') && created) await fetch(`${url}/events/${created.subscriptionId}`, { signal })
  while (created && !signal.aborted) {
    const ended = await follow(created)
    if (ended === 'over') return undefined
    if (ended === 'anew') {
      lastId = ''
      created = await subscribe()
    } else await wait(has('honours-retry') || has('backs-off') ? 5 : retry, undefined, { signal })
  }
  return wait(60_000, undefined, { signal })

  /** Until it ends: `over` for good, `anew` with another subscription, or to come back. */
  async function follow({ subscriptionId, registrationUrl }: { subscriptionId: string; registrationUrl: string }) {
    const stall = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => stall.abort(), Number(heartbeat) * 3000)
    }
    let isGoodbye = false
    let gap: Promise<unknown> | undefined
    const parser = createParser({
      onRetry: (ms) => (retry = ms),
      onEvent: ({ event, id, data }) => {
        if (id !== undefined) lastId = id
        if (event === 'CONTROL_EVENT' && data === 'goodbye') isGoodbye = true
        if (event === 'CONTROL_EVENT' && data === 'gap' && !has('takes-gap')) {
          const headers = { authorization: `Bearer ${token}` }
          gap = fetch(`${url}/subscriptions/${subscriptionId}`, { headers, signal })
        }
      },
    })
    try {
      if (!has('notices-a-stall')) watch()
      const headers = {
        ...(!has('asks-for-an-event-stream') && { accept: 'text/event-stream' }),
        ...(lastId !== '' && !has('sends-last-event-id') && { 'last-event-id': lastId }),
      }
      const reply = await fetch(registrationUrl, { headers, signal: AbortSignal.any([signal, stall.signal]) })
      if (reply.status === 204) return has('stops-at-no-content') ? 'back' : 'over'
      if (reply.status === 404 || reply.status === 401) return has('makes-anew-after-404') ? 'over' : 'anew'
      if (reply.status >= 500) return has('survives-unavailable') ? 'over' : 'back'
      if (has('events-takes-http-case')) throw new Error('as if it had read the raw headers')
      if (has('one-stream-at-a-time') && lastId === '') {
        const other = await subscribe()
        await fetch(other!.registrationUrl, { headers: { accept: 'text/event-stream' }, signal })
      }
      const decoder = new TextDecoder('utf-8', { fatal: has('events-takes-sse-cuts') })
      for await (const piece of reply.body!) {
        if (!has('notices-a-stall')) watch()
        const text = decoder.decode(piece, { stream: !has('events-takes-sse-cuts') })
        takeHalf(text)
        parser.feed(toDepend(text, flaw))
      }
    } catch (error) {
      if (signal.aborted) throw error
      if (has('survives-cut-before-welcome') && lastId === '') return 'over'
      if (flaw?.startsWith('events-takes-')) lastId = 'lost'
    } finally {
      clearTimeout(timer)
      await gap
    }
    return isGoodbye ? (has('makes-anew-after-goodbye') ? 'over' : 'anew') : 'back'
  }

  /** A flawed client takes an id before its event is whole. */
  function takeHalf(text: string): void {
    if (has('forgets-half-events') && /data: .*[^\n]$/.test(text)) lastId = '0-0'
  }
}

/** What came, unless it is what the client cannot take. */
function toDepend(text: string, flaw = ''): string {
  const fails = (isOdd: boolean) => {
    if (isOdd) throw new Error(flaw)
  }
  const kind = flaw.replace('events-takes-', '')
  const [, data = ''] = /data: ?(\{.*\})\n/.exec(text) ?? []
  if (kind === 'sse-line-ends') fails(text.includes('\r'))
  if (kind === 'sse-comments') fails(/^:./m.test(text))
  if (kind === 'sse-data-lines') fails(/data: ?\{[^\n]*[^}]\n/.test(text))
  if (kind === 'sse-space') fails(/^data:\S/m.test(text))
  if (kind === 'sse-bom') fails(text.startsWith('\uFEFF'))
  if (kind === 'json-order') fails(data !== '' && !data.startsWith('{"eventTime"'))
  if (kind === 'json-extra') fails(data.includes('"further'))
  if (kind === 'json-escape') fails(/\\u00|\\\//.test(data))
  return text
}
