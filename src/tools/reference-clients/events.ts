import type { CreateSubscriptionRequest, Subscription } from 'vendor-cloud/types'
import { persist, rest, wait } from './retries.ts'
import { connect, type StreamEvent, Taken } from './stream-connection.ts'
import { parseJson, Refusal, send, type Wire } from './wire.ts'

export interface EventsOptions extends Wire {
  /** Returns a token. If the server rejects a token, this function is called again with the rejected token. */
  token: (refused?: string) => string | Promise<string>
  /** Heartbeat interval of the server in seconds. Default: 20. */
  heartbeatSeconds?: number
}

export interface EventsClient {
  /**
   * Yields events, and ends when another client takes over the stream. When the token expires, the subscription gets a
   * new one and the stream resumes. After a new subscription replaces a lost one, the client yields `gap`.
   */
  follow(subscription: CreateSubscriptionRequest): AsyncGenerator<StreamEvent, void>
  /** Calls one of the four subscription operations. DELETE returns undefined. */
  call<Method extends 'GET' | 'PUT' | 'POST' | 'DELETE'>(
    method: Method,
    path: string,
    body?: object,
  ): Promise<Method extends 'DELETE' ? undefined : Subscription>
}

const isGone = (error: unknown) => error instanceof Refusal && (error.status === 404 || error.status === 410)
/** Reconnection time in milliseconds, which is used until the server sends `retry`. */
const DEFAULT_RETRY = 500

export function createEventsClient(options: EventsOptions): EventsClient {
  const { heartbeatSeconds = 20, signal } = options
  const patience = 3 * heartbeatSeconds * 1000
  let token: string | undefined

  /** If the token has expired, a new token is requested once. */
  async function call(method: string, path: string, body?: object): Promise<Subscription> {
    for (let renewed = false; ; renewed = true) {
      token ??= await options.token()
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const reply = await send(options, path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (reply.status < 300) return (reply.text === '' ? undefined : parseJson(reply.text)) as Subscription
      if (reply.status !== 401 || renewed) throw new Refusal(reply, [], `${method} ${path}: ${reply.status}`)
      token = await options.token(token)
    }
  }
  // A subscription that is never opened does no harm, so the call can be repeated.
  const calmly = (method: string, path: string, body?: object, tries?: number) =>
    persist(options, true, () => call(method, path, body), tries)

  /** Makes the current token, or a new one, the token of the subscription. Its stream can then resume. */
  async function renew(subscriptionId: string, wanted: CreateSubscriptionRequest) {
    try {
      return await calmly('PUT', `/subscriptions/${subscriptionId}`, wanted, Number.POSITIVE_INFINITY)
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  }

  async function* follow(wanted: CreateSubscriptionRequest): AsyncGenerator<StreamEvent, void> {
    let subscription: Subscription | undefined
    let isReplaced = false
    let lastId = ''
    let retryMs = DEFAULT_RETRY
    const onRetry = (ms: number) => {
      retryMs = ms
    }
    for (let failures = 0; ; ) {
      subscription ??= await calmly('POST', '/subscriptions', wanted, Number.POSITIVE_INFINITY)
      const { registrationUrl, subscriptionId } = subscription
      let problem: unknown
      try {
        for await (const event of connect(options, registrationUrl, { lastId, patience, onRetry })) {
          failures = 0
          // The server may send an event twice, but the client returns each event only once.
          if (event.id === lastId && event.name !== 'CONTROL_EVENT') continue
          lastId = event.id ?? lastId
          if (event.data === 'gap') await calmly('GET', `/subscriptions/${subscriptionId}`)
          if (event.data === 'goodbye') subscription = undefined
          yield event
          if (isReplaced) yield { name: 'CONTROL_EVENT', data: 'gap' }
          isReplaced = false
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof Taken) return
        problem = error
      }
      if (problem instanceof Refusal) {
        if (isGone(problem)) subscription = undefined
        else if (problem.status === 401) subscription = await renew(subscriptionId, wanted)
        // 409 means that another stream of the token is open, or that the server has not yet noticed its end.
        else if (problem.isFinal && problem.status !== 409) throw problem
      }
      if (!subscription) {
        isReplaced = true
        lastId = ''
      }
      // After the first failure, opens a new subscription immediately. After later failures, waits first.
      if (problem || subscription) failures++
      if (!subscription && failures < 2) continue
      if (failures < 2) await wait(options, retryMs)
      else await rest(options, failures, problem, retryMs)
    }
  }

  return { follow, call: calmly as EventsClient['call'] }
}
