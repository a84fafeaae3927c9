import { type Act, type ActContext, ask, assertJustified, isSame, mayLag, unexpected } from './act.ts'
import type { Asked } from '../environment/exchange.ts'
import type { Reply } from '../checks/reply.ts'
import { NOBODY, START } from '../environment/scheduler.ts'
import { DEVICES, LOCATIONS } from '../environment/small-world.ts'
import { Span, violated } from '../checks/span.ts'
import { ClientStream, newChain } from '../checks/client-stream.ts'
import type { Subscription, Token, WorldModel } from '../checks/world-model.ts'

const OWNERS = ['ann-home', 'ben-home'] as const
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
export const UNKNOWN_EVENT = '1-9999999999999999'
/** Milliseconds for which the slot of an ended stream may still be in use. */
const LEASE = 15_000

/** Number of retries if a stream is temporarily rejected, and milliseconds between them. */
const TRIES = 5
const RETRY = 700

const asBearer = ({ accessToken }: Token) => ({ authorization: `Bearer ${accessToken}` })

async function issueToken(context: ActContext): Promise<void> {
  const { chance, run } = context
  if (context.world.model.tokens.length > 5) return
  const user = chance.of(OWNERS)
  const locations = user === OWNERS[0] ? [LOCATIONS[0]] : chance.of([[...LOCATIONS], [LOCATIONS[1]]])
  const expiresIn = chance.of([600, 100_000])
  const payload = { user, locations, expiresIn, scopes: ['r:locations:*', 'r:devices:*'] }
  const request: Asked = { method: 'POST', url: '/_control/tokens', payload }
  const startsAt = START + run.scheduler.now
  await ask(context, request, {
    judge: (reply, model) => {
      if (reply.status !== 200) return unexpected(request, reply)
      const { accessToken } = JSON.parse(reply.text) as { accessToken: string }
      const [expiresAt, overAt] = [startsAt, START + run.scheduler.now].map((from) => from + expiresIn * 1000)
      const times = { expiresAt: expiresAt!, overAt: overAt! }
      model.tokens.push({ accessToken, user, locations, ...times, span: new Span(reply, reply.ret) })
      return true
    },
  })
}

async function revokeToken(context: ActContext): Promise<void> {
  const { tokens } = context.world.model
  if (tokens.length === 0) return
  const { accessToken } = context.chance.of(tokens)
  const request: Asked = { method: 'DELETE', url: `/_control/tokens/${accessToken}` }
  await ask(context, request, {
    ends: (model) => model.tokens.filter((each) => each.accessToken === accessToken).map(({ span }) => span),
    judge: (reply, model) => {
      const { span } = model.tokens.find((each) => each.accessToken === accessToken)!
      if (reply.status === 404) return assertJustified(!span.wasSure(reply), request, reply)
      if (!span.wasPossible(reply)) violated('12 a revoked token is dead', accessToken)
      return true
    },
  })
}

function pickToken({ chance, world }: ActContext): Token | undefined {
  const { tokens } = world.model
  return tokens.length > 0 ? chance.of(tokens) : undefined
}

/**
 * Status 401 is allowed only if the token may have expired. Any other status is allowed only if the token may still be
 * valid.
 */
function isTokenRefused(context: ActContext, token: Token, request: Asked, reply: Reply, model: WorldModel): boolean {
  const known = model.tokens.find(({ accessToken }) => accessToken === token.accessToken)
  const mayBeOver = model.wasMoved || START + context.run.scheduler.now + model.ahead >= token.expiresAt
  if (reply.status === 401) {
    assertJustified(!known?.span.wasSure(reply) || mayBeOver, request, reply)
    return true
  }
  if (!known?.span.wasPossible(reply)) violated('12 a revoked token is dead', `${request.method} ${request.url}`)
  return false
}

function pickFilters({ chance }: ActContext, { locations }: Token) {
  const own = DEVICES.filter(({ locationId }) => locations.includes(locationId)).map(({ deviceId }) => deviceId)
  const devices = chance.once(2) ? own : [chance.of(own)]
  const filter = devices === own ? { type: 'LOCATIONIDS', value: ['ALL'] } : { type: 'DEVICEIDS', value: devices }
  return { devices, subscriptionFilters: [filter] }
}

export async function subscribe(context: ActContext, given?: Token): Promise<void> {
  if (context.world.model.tokens.length === 0) await issueToken(context)
  const { subscriptions } = context.world.model
  // Often uses the same token for several subscriptions, so that their streams compete.
  const common = context.chance.once(2) ? subscriptions[0]?.token : undefined
  const token = given ?? common ?? pickToken(context)
  if (!token || subscriptions.length > 6) return
  const { devices, subscriptionFilters } = pickFilters(context, token)
  const payload = { name: context.world.name, subscriptionFilters }
  const request: Asked = { method: 'POST', url: '/subscriptions', headers: asBearer(token), payload }
  await ask(context, request, {
    judge: (reply, model) => {
      if (isTokenRefused(context, token, request, reply, model)) return false
      if (reply.status !== 200) return unexpected(request, reply)
      const { subscriptionId, registrationUrl: url } = JSON.parse(reply.text) as {
        subscriptionId: string
        registrationUrl: string
      }
      const { user } = token
      const span = new Span(reply, reply.ret)
      const chain = newChain(reply.ret)
      const mayGet = new Set(devices)
      model.subscriptions.push({
        subscriptionId,
        user,
        token,
        url,
        span,
        devices,
        devicesFrom: reply.ret,
        mayGet,
        asked: 0,
        answered: 0,
        chain,
      })
      return true
    },
  })
}

function pickSubscription({ chance, world }: ActContext): Subscription | undefined {
  const { subscriptions } = world.model
  return subscriptions.length > 0 && !chance.once(10) ? chance.of(subscriptions) : undefined
}

const useSubscription = (method: 'GET' | 'PUT' | 'DELETE') => async (context: ActContext) => {
  const picked = pickToken(context)
  if (!picked) return
  const subscription = pickSubscription(context)
  const isOwn = subscription?.user === picked.user
  // PUT makes its token the token of the subscription. With the same token, the model of the streams stays correct.
  const token = method === 'PUT' && isOwn ? subscription.token : picked
  const filters = pickFilters(context, token)
  const subscriptionId = subscription?.subscriptionId ?? UNKNOWN
  const payload = method === 'PUT' ? { subscriptionFilters: filters.subscriptionFilters } : undefined
  const request: Asked = {
    method,
    url: `/subscriptions/${subscriptionId}`,
    headers: asBearer(token),
    ...(payload && { payload }),
  }
  const of = (model: WorldModel) =>
    model.subscriptions.filter((each) => isOwn && each.subscriptionId === subscriptionId)
  const change = method === 'PUT' && isOwn ? subscription : undefined
  const isAlone = change?.asked === change?.answered
  const number = change && ++change.asked
  for (const deviceId of filters.devices) change?.mayGet.add(deviceId)
  if (change) change.devicesFrom = Infinity
  await ask(context, request, {
    ends: (model) => (method === 'DELETE' ? of(model).map(({ span }) => span) : []),
    judge: (reply, model) => {
      if (isTokenRefused(context, token, request, reply, model)) return false
      const [known] = of(model)
      if (!known) {
        if (reply.status !== 404) violated('10 foreign is unknown', `${method} subscription gave ${reply.status}`)
        context.run.checkUnknown('subscription', reply)
        return false
      }
      if (reply.status === 404) return assertJustified(!known.span.wasSure(reply), request, reply)
      if (reply.status >= 300) return unexpected(request, reply)
      if (!known.span.wasPossible(reply))
        violated('1 acknowledged is kept', `deleted subscription ${subscriptionId} answers ${method}`)
      if (!change) return true
      change.answered++
      if (isAlone && change.asked === number)
        Object.assign(change, { devices: filters.devices, devicesFrom: reply.ret })
      return true
    },
  })
}

/**
 * Opens a stream with its key or with its owner's token. The stream starts after the last ID, at the present, or after
 * an unknown ID.
 */
async function openStream(
  context: ActContext,
  subscription = pickSubscription(context),
  isResumed = false,
): Promise<number | undefined> {
  const { run, chance, world } = context
  const { up } = run.cluster
  if (!subscription || up.length === 0) return undefined
  const place = chance.of(up)
  const old = subscription.chain
  const isFresh = old.lastId === undefined || (!isResumed && chance.once(4))
  const isBogus = !isResumed && chance.once(12)
  const chain =
    isFresh || isBogus ? newChain(Infinity) : { ...old, seen: new Set(old.seen), latestCall: new Map(old.latestCall) }
  if (isBogus) Object.assign(chain, { lastId: UNKNOWN_EVENT, lastTick: 0 })
  if (isBogus) world.model.gapCause = run.tick()
  subscription.chain = chain
  const shown = chain.lastId
  const { pathname, search } = new URL(subscription.url)
  const [byKey, { token }] = [chance.once(2), subscription]
  const headers = { 'x-world': world.name, ...(shown && { 'last-event-id': shown }), ...(!byKey && asBearer(token)) }
  const url = pathname.replace(/^\/w\/[^/]+/, '') + (byKey ? search : '')
  const { epoch } = world
  const wasTroubled = run.hasProblem
  run.inFlight++
  const stream = new ClientStream(run, { world, subscription, place, chain })
  const answer = await stream.open(url, headers)
  run.inFlight--
  const window = { call: stream.call, ret: run.tick() }
  const reply = { ...window, status: answer?.status ?? 0, text: answer?.text ?? '', isLost: !answer }
  run.log.push(
    `${window.call}-${window.ret} ${world.name} stream ${subscription.subscriptionId} ${shown} at ${place.number}: ${reply.status}`,
  )
  run.scheduler.note(`stream ${reply.status}`)
  stream.note({ method: 'GET', url, headers })
  if (answer && isSame(run, { world, epoch }, reply))
    checkOpening(context, { subscription, stream, shown, wasTroubled }, { method: 'GET', url }, reply)
  return answer?.status
}

interface Opening {
  subscription: Subscription
  stream: ClientStream
  shown: string | undefined
  wasTroubled: boolean
}

function checkOpening(
  context: ActContext,
  { subscription, stream, shown, wasTroubled }: Opening,
  request: Asked,
  reply: Reply,
) {
  const { run, world } = context
  const { span, token } = subscription
  const hasProblem = wasTroubled || run.hasProblem
  if (reply.status >= 500) return assertJustified(hasProblem, request, reply)
  if (reply.status === 404) {
    const isGone = !span.wasSure(reply) || !world.span.wasSure(reply) || mayLag(run, reply)
    return assertJustified(isGone, request, reply)
  }
  if (isTokenRefused(context, token, request, reply, world.model)) return undefined
  // These streams were open when this one was requested, or the slot of such a stream may still be in use.
  const isNear = (each: ClientStream) =>
    each.world === world && ((each.endedAt ?? Infinity) > stream.call || run.scheduler.now - each.endedNow < LEASE)
  const others = [...run.streams].filter((each) => each !== stream && isNear(each))
  if (reply.status === 409) {
    const isOther = (each: ClientStream) =>
      each.subscription.subscriptionId !== subscription.subscriptionId &&
      each.subscription.token.accessToken === token.accessToken
    return assertJustified(others.some(isOther) || hasProblem, request, reply)
  }
  if (reply.status === 204) {
    const isOwn = (each: ClientStream) => each.subscription.subscriptionId === subscription.subscriptionId
    return assertJustified(others.some(isOwn) || (shown !== undefined && hasProblem), request, reply)
  }
  if (reply.status !== 200) return unexpected(request, reply)
  if (!span.wasPossible(reply))
    violated('1 acknowledged is kept', `deleted subscription ${subscription.subscriptionId} streams`)
  return undefined
}

export async function openAny(context: ActContext): Promise<void> {
  if (context.world.model.subscriptions.length === 0) await subscribe(context)
  await openStream(context)
}

export function pickStream(context: ActContext): (ActContext & { stream: ClientStream }) | undefined {
  const live = [...context.run.streams].filter((each) => each.isLive)
  const stream = live.length > 0 ? context.chance.of(live) : undefined
  return stream && { ...context, world: stream.world, stream }
}

/** Disconnects a client and runs `meanwhile`. Then lets the client resume while events occur. */
export async function comeBack(
  context: ActContext,
  meanwhile: (picked: ActContext & { stream: ClientStream }) => void | Promise<void> = () => {},
): Promise<void> {
  const picked = pickStream(context)
  if (!picked) return openAny(context)
  const { run, chance, world, stream } = picked
  const { subscriptionId, devices } = stream.subscription
  run.inFlight++
  stream.hangUp()
  await emitSome(picked, devices, chance.below(3))
  await meanwhile(picked)
  const happening = emitSome(picked, devices, chance.below(5))
  for (let tries = 0, status = 503; status >= 500 && tries < TRIES; tries++) {
    if (tries > 0) await new Promise<void>((resolve) => run.scheduler.in(RETRY, resolve, { owner: NOBODY }))
    const known = world.model.subscriptions.find((each) => each.subscriptionId === subscriptionId)
    status = known ? ((await openStream(picked, known, true)) ?? 503) : 0
  }
  await happening
  run.inFlight--
  return undefined
}

async function openTwo(context: ActContext): Promise<void> {
  const first = pickSubscription(context)
  if (first) await Promise.all([openStream(context, first), openRival(context, first)])
}

export async function openRival(context: ActContext, subscription: Subscription): Promise<void> {
  const rival = findRival(context, subscription)
  if (rival) await openStream(context, rival)
}

export function findRival({ world }: ActContext, { subscriptionId, token }: Subscription): Subscription | undefined {
  return world.model.subscriptions.find(
    (each) => each.subscriptionId !== subscriptionId && each.token.accessToken === token.accessToken,
  )
}

async function readSlowly(context: ActContext): Promise<void> {
  const picked = pickStream(context)
  if (!picked) return
  const { chance, stream } = picked
  stream.socket.isSlow = true
  await emitSome(picked, stream.subscription.devices, 6)
  if (chance.once(2)) stream.readOn()
}

async function injectStreamFault(context: ActContext): Promise<void> {
  const picked = pickStream(context)
  if (!picked) return
  const { chance, stream } = picked
  if (chance.once(3)) stream.socket.isSlow = true
  else if (stream.socket.isSlow) stream.readOn()
  else stream.hangUp()
}

export function emitSome(context: ActContext, devices: readonly string[], count: number): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, () => emit(context, context.chance.of(devices))))
}

async function emit(context: ActContext, deviceId: string): Promise<void> {
  const { run, world } = context
  const value = run.newValue()
  const payload = { capability: 'switchLevel', attribute: 'level', value, force: true }
  const request: Asked = { method: 'POST', url: `/_control/devices/${deviceId}/events`, payload }
  const emission = { call: run.tick(), ret: Infinity, value, deviceId, world: world.name }
  run.emissions.set(value, emission)
  await ask(context, request, {
    judge: (reply, model) => {
      if (reply.status !== 200) return unexpected(request, reply)
      emission.ret = reply.ret
      model.emissions.set(value, emission)
      return true
    },
  })
}

export const streamActs: readonly Act[] = [
  { name: 'issue a token', weight: 4, run: issueToken },
  { name: 'revoke a token', weight: 2, run: revokeToken },
  { name: 'subscribe', weight: 4, run: (context) => subscribe(context) },
  { name: 'look at a subscription', weight: 2, run: useSubscription('GET') },
  { name: 'change a subscription', weight: 2, run: useSubscription('PUT') },
  { name: 'delete a subscription', weight: 1, run: useSubscription('DELETE') },
  { name: 'open a stream', weight: 10, run: openAny },
  { name: 'come back', weight: 8, run: (context) => comeBack(context) },
  { name: 'open two streams of a token', weight: 3, run: openTwo },
  { name: 'read slowly', weight: 3, run: readSlowly },
  { name: 'disturb a stream', weight: 4, run: injectStreamFault },
  { name: 'emit', weight: 10, run: (context) => emit(context, context.chance.of(DEVICES).deviceId) },
]
