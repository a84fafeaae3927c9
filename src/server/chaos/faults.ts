import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ports } from '../ports.ts'
import type { Faults } from '../ports/chaos.ts'
import { type Fault, type FaultDelay, isSpent, placeInProfile } from '#contract/records/control/fault.ts'
import { PROFILE_HITS, readStoredHits } from '#contract/records/control/fault.ts'
import { FAULT_HEADER, type FaultResponse, findKindReply } from '#contract/records/control/fault-response.ts'
import { MAX_FAULTS } from '#contract/records/snapshot.ts'
import { DomainError } from '../domain/errors.ts'
import { newId } from '../domain/ids.ts'
import { closeWithClient } from '../http/connection/client-left.ts'
import { callerOf, callerTypeOf, operationOf } from '../http/request-context.ts'
import { fitsContent, fitsLine, type MatchedRequest } from './request-match.ts'

/** A fault applies when a request arrives, after the request has been read, or when the response is ready. */
export type FaultStage = 'arrival' | 'read' | 'answer'

export async function addFault({ faults, random }: Ports, draft: Omit<Fault, 'faultId' | 'hits'>): Promise<Fault> {
  const faultId = await newId(random, 'fault', 'F')
  assertRoom(faults, 1)
  return faults.add(draft, faultId)
}

export function assertRoom(faults: Faults, added: number): void {
  if (faults.own().length + added <= MAX_FAULTS) return
  throw new DomainError('limit-exceeded', `a world can have at most ${MAX_FAULTS} faults`, {
    source: 'our choice: faults',
    hint: 'DELETE /_control/faults deletes all of them',
  })
}

/** Interval in milliseconds at which a delayed request checks whether its fault still exists. */
const HELD = 50

/** Applies matching faults in order, including their delays. Returns the response of the first fault that has one. */
export async function findStriking(
  request: FastifyRequest,
  reply: FastifyReply,
  stage: FaultStage,
): Promise<FaultResponse | undefined> {
  const { ports, context } = request
  for (const fault of findFaults(ports, stage, toMatched(request))) {
    // A fault must not change an error response so that it looks successful.
    if (reply.statusCode >= 400 && findKindReply(fault.respond)) continue
    const hits = await drawsFault(ports, fault)
    // Another request may have used up the fault since the fault was found.
    if (!hits || !(await applyFaults(ports, fault))) continue
    const { name = fault.faultId } = fault
    context.faults = [...(context.faults ?? []), name]
    if (hits.delay > 0) {
      request.server.reportArrival(request)
      closeWithClient(request, reply)
      await holdUp(request, fault.faultId, hits.delay)
    }
    if (fault.respond) {
      // Replaces other characters, because header values may contain only printable ASCII.
      reply.header(FAULT_HEADER, name.replace(/[^\x20-\x7e]/g, '?'))
      return fault.respond
    }
  }
  return undefined
}

/** Ends early if the fault is removed, or if the server is closing and the delay would end too late. */
async function holdUp({ ports, server }: FastifyRequest, faultId: string, delay: number): Promise<void> {
  const due = performance.now() + delay
  const isLate = () => due > server.drain.endsAt
  const isThere = () => ports.faults.list().some((fault) => fault.faultId === faultId)
  let look: NodeJS.Timeout | undefined
  const released = new Promise<void>((resolve) => {
    look = setInterval(() => (isThere() && !isLate()) || resolve(), HELD)
  })
  await Promise.race([wait(delay, undefined, { ref: false }), released]).finally(() => clearInterval(look))
  if (isLate()) server.closing.throwIfAborted()
}

function toMatched(request: FastifyRequest) {
  const { url, method, headers, body, context } = request
  const { sent, readMessage } = context
  const [path = '/', query] = url.split('?', 2)
  const read = typeof sent === 'string' ? readMessage?.(sent) : undefined
  const operation = operationOf(request)
  const caller = { caller: callerOf(request), callerType: callerTypeOf(request) }
  return { operation, method, path, query, headers, ...caller, body: read ?? sent ?? body }
}

export function* findFaults(
  { faults, clock }: Pick<Ports, 'faults' | 'clock'>,
  stage: FaultStage,
  request: MatchedRequest,
): Generator<Fault> {
  for (const fault of faults.of(request.operation)) {
    const { match } = fault
    if (stageOf(fault) !== stage || isSpent(fault) || !isOpen(fault, clock.now())) continue
    if (fitsLine({ ...match, operation: undefined }, request) && fitsContent(match, request)) yield fault
  }
}

/** A time window includes its start but not its end. */
function isOpen({ from, until }: Fault, now: number): boolean {
  return (from === undefined || now >= Date.parse(from)) && (until === undefined || now < Date.parse(until))
}

export async function drawsFault(
  { random }: Pick<Ports, 'random'>,
  { probability = 1, delayMs = 0 }: Fault,
): Promise<{ delay: number } | undefined> {
  if (probability < 1 && (await randomNumber(random)) >= probability) return undefined
  return { delay: await chooseDelay(random, delayMs) }
}

export async function applyFaults(
  { faults, store }: Pick<Ports, 'faults' | 'store'>,
  { faultId, profile, times }: Fault,
): Promise<boolean> {
  if (profile === undefined) return faults.applyFaults(faultId)
  const place = placeInProfile(faultId)
  const [counts, appliesFault] = await store.transaction(async (tx) => {
    const kept = readStoredHits(await tx.settings.get(PROFILE_HITS))
    const isOver = isSpent({ hits: kept[place] ?? 0, times }) || !(await tx.settings.get('profile'))
    if (isOver) return [kept, false] as const
    const counted = Array.from({ length: Math.max(kept.length, place + 1) }, (_, i) => kept[i] ?? 0)
    // The stored count may already be at this limit, because it can be edited as a record.
    counted[place] = Math.min(counted[place]! + 1, Number.MAX_SAFE_INTEGER)
    await tx.settings.put({ name: PROFILE_HITS, value: JSON.stringify(counted) })
    return [counted, true] as const
  })
  faults.setHits(counts)
  return appliesFault && faults.list().some((each) => each.faultId === faultId)
}

function stageOf({ match, respond, when }: Fault): FaultStage {
  const needsReply = respond && ('cut' in respond || 'throttle' in respond)
  if (when === 'after' || needsReply || findKindReply(respond)) return 'answer'
  const { caller, body, soapOperation, operation } = match
  const isRead = (caller ?? body ?? soapOperation) !== undefined
  return isRead || operation === 'createServiceToken' || operation === 'getSubscriptionStatus' ? 'read' : 'arrival'
}

async function chooseDelay(random: Ports['random'], delayMs: FaultDelay): Promise<number> {
  if (typeof delayMs === 'number') return delayMs
  if ('min' in delayMs) return delayMs.min + (delayMs.max - delayMs.min) * (await randomNumber(random))
  // Delays are log-normal. The 99th percentile is 2.326 standard deviations above the median.
  const deviation = Math.log(delayMs.p99 / delayMs.p50) / 2.326
  const [radius, angle] = [await randomNumber(random), await randomNumber(random)]
  const normal = Math.sqrt(-2 * Math.log(1 - radius)) * Math.cos(2 * Math.PI * angle)
  return Math.min(600_000, delayMs.p50 * Math.exp(deviation * normal))
}

async function randomNumber(random: Ports['random']): Promise<number> {
  const bytes = await random.bytes('fault', 4)
  return bytes.reduce((number, byte) => number * 256 + byte, 0) / 2 ** 32
}
