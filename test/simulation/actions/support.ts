import { createHash } from 'node:crypto'
import { type Act, type ActContext, addTo, ask, assertJustified, asUser, unexpected } from './act.ts'
import type { Asked } from '../environment/exchange.ts'
import {
  assertCapacity,
  assertOneOpen,
  lapseOf,
  mayBeAfter,
  mayRejectSlot,
  NOTICE,
  slotsIn,
  startOf,
  visitSlots,
} from '../checks/slots.ts'
import { codeOf, type Reply } from '../checks/reply.ts'
import { CENTER, DAYS, DEALERS, REGISTERED, SLOT_CAPACITY, TIMES, USERS } from '../environment/small-world.ts'
import { Span, violated } from '../checks/span.ts'
import type { Request, WorldModel } from '../checks/world-model.ts'

const BASE = '/stg/us'
const UNKNOWN = '1000000000'
const MOST_IMAGES = 4

type Parts = Pick<Request, 'kind' | 'owner' | 'holder' | 'isCounted'>

/** Adds to the model a request that may exist. `take`, called with the response, confirms that it exists. */
function bring(run: ActContext['run'], parts: Parts, slotId: string) {
  const window = { call: run.tick() }
  const [exists, open, span] = [new Span(window), new Span(window), new Span(window)]
  const request: Request = {
    ...parts,
    srid: undefined,
    exists,
    open,
    places: [{ slotId, span }],
    images: [],
    wasMoved: false,
    asked: 0,
    answered: 0,
  }
  const adds = addTo(({ requests }) => requests, request)
  const take = ({ text, ret }: Reply, { doubted }: WorldModel) => {
    request.srid = (JSON.parse(text) as { srid: string }).srid
    for (const each of doubted.has(request.srid) ? [exists] : [exists, open, span]) each.isFrom = ret
  }
  return { request, adds, take }
}

const spansOf = (request: Request | undefined) =>
  request ? [request.open, ...request.places.map(({ span }) => span)] : []

async function createInStore(context: ActContext): Promise<void> {
  const { chance, run } = context
  const user = chance.of(USERS)
  const [date, startTime] = [chance.of(DAYS), chance.of(TIMES)]
  const isRegistered = user === REGISTERED.user && chance.once(2)
  const slotId = `${CENTER}-WI-${date.replaceAll('-', '')}-${startTime.replace(':', '')}`
  const person = { firstName: context.world.name, lastName: 'Tester', email: `${user}@example.com`, zipCode: '07660' }
  const payload = {
    ...person,
    ...(isRegistered && { serialNumber: REGISTERED.serialNumber }),
    ascType: 'WALKIN',
    ascCode: CENTER,
    appointmentDate: date,
    startTime,
    symptoms: ['TS1'],
    modelCode: 'VM-KIOSK1',
  }
  const request: Asked = { method: 'POST', url: `${BASE}/instore/create`, headers: asUser(user), payload }
  const [owner, isCounted] = [`profile:${user}`, !isRegistered]
  const { request: asked, adds, take } = bring(run, { kind: 'inStore', owner, holder: owner, isCounted }, slotId)
  await ask(context, request, {
    adds,
    judge: (reply, model) => {
      if (reply.status === 200) {
        take(reply, model)
        return true
      }
      const code = codeOf(reply)
      const rest = model.requests.filter((each) => each !== asked)
      const isOther = (each: Request) => each.isCounted && each.owner === owner && each.open.wasPossible(reply)
      const isSecond = code === 'ConflictError' && isCounted && rest.some(isOther)
      return assertJustified(isSecond || mayRejectSlot(context, rest, { slotId, holder: owner }, reply), request, reply)
    },
    check: (reply, model) => {
      assertCapacity(model, slotId, reply.ret)
      if (!mayBeAfter(context, model, lapseOf(DAYS_START))) assertOneOpen(model, owner, reply.ret)
    },
  })
}

async function createTicket(context: ActContext): Promise<void> {
  const { chance, run } = context
  const { profile, companyId, customers } = chance.of(DEALERS)
  const bpNo = chance.of<string>(customers)
  const timeSlot = chance.of(visitSlots)
  const payload = {
    bpNo,
    modelCode: 'VM-KIOSK1',
    serialNumber: '0KIOSK12345',
    serviceType: 'IH',
    symCode1: 'K1',
    symCode2: 'K1-A',
    problemDescription: context.world.name,
    ascCode: CENTER,
    appointmentDate: dateOf(timeSlot),
    timeSlot,
  }
  const request: Asked = { method: 'POST', url: `${BASE}/dealer/customers/ticket`, headers: asUser(profile), payload }
  const holder = `bp:${bpNo}`
  const {
    request: asked,
    adds,
    take,
  } = bring(run, { kind: 'ticket', owner: companyId, holder, isCounted: false }, timeSlot)
  await ask(context, request, {
    adds,
    judge: (reply, model) => {
      const rest = model.requests.filter((each) => each !== asked)
      if (reply.status !== 200) {
        return assertJustified(mayRejectSlot(context, rest, { slotId: timeSlot, holder }, reply), request, reply)
      }
      take(reply, model)
      return true
    },
    check: (reply, model) => assertCapacity(model, timeSlot, reply.ret),
  })
}

function dateOf(slotId: string): string {
  const day = slotId.split('-')[2]!
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
}

/** Returns a known request or an unknown ID, together with a caller who may be the owner of the request. */
function pickRequest({ chance, world }: ActContext, kind: Request['kind']) {
  const known = world.model.requests.filter((each) => each.kind === kind && each.srid !== undefined)
  const request = known.length > 0 && !chance.once(8) ? chance.of(known) : undefined
  const owners: readonly string[] = kind === 'inStore' ? USERS : DEALERS.map(({ profile }) => profile)
  const isOwner = (name: string) =>
    request?.owner ===
    (kind === 'inStore' ? `profile:${name}` : DEALERS.find(({ profile }) => profile === name)?.companyId)
  const caller = (chance.once(3) ? undefined : owners.find(isOwner)) ?? chance.of(owners)
  return { request, srid: request?.srid ?? UNKNOWN, caller, isOwn: isOwner(caller) }
}

async function rescheduleTicket(context: ActContext): Promise<void> {
  const { request: ticket, srid, caller, isOwn } = pickRequest(context, 'ticket')
  const timeSlot = context.chance.of(visitSlots)
  const payload = { srid, appointmentDate: dateOf(timeSlot), timeSlot, rescheduleReasonCode: 'R1' }
  const request: Asked = {
    method: 'POST',
    url: `${BASE}/dealer/customers/ticket/reschedule`,
    headers: asUser(caller),
    payload,
  }
  const place = { slotId: timeSlot, span: new Span({ call: context.run.tick() }) }
  const known = isOwn ? ticket : undefined
  const isAlone = known?.asked === known?.answered
  const number = known && known.asked + 1
  const requestIn = (model: WorldModel) => (known ? model.find(srid) : undefined)
  const { to, take } = addTo((model) => requestIn(model)?.places, place)
  const old = new Map<WorldModel, readonly Span[]>()
  // Slots that a parallel request reserves may still be occupied after that request.
  const slotsBefore = (model: WorldModel) =>
    (requestIn(model)?.places ?? []).filter((each) => each !== place && (isAlone || each.span.isFrom < Infinity))
  await ask(context, request, {
    adds: {
      to: (model) => {
        old.set(
          model,
          slotsBefore(model).map(({ span }) => span),
        )
        const moved = requestIn(model)
        if (moved) moved.asked++
        to(model)
      },
      take,
    },
    ends: (model) => old.get(model) ?? [],
    judge: (reply, model) => {
      if (!known) return checkForeign(context, 'reschedule', reply, 404)
      known.answered++
      if (reply.status === 200) {
        if (!known.open.wasPossible(reply)) violated('refusals', `the closed ticket ${srid} was rescheduled`)
        if (known.open.isSure(reply.ret) && isAlone && known.asked === number) place.span.isFrom = reply.ret
        return true
      }
      const code = codeOf(reply)
      const isClosed = code === 'ConflictError' && !known.open.wasSure(reply)
      const wasMoved = code === 'LimitExceeded' && (known.wasMoved || known.places.length > 1)
      const mayBeUnderWay = code === 'ConflictError' && mayBeAfter(context, model, startOf(DAYS_START))
      const isGone = reply.status === 404 && !known.exists.wasSure(reply)
      const rest = model.requests.filter((each) => each !== known)
      const noPlace = mayRejectSlot(context, rest, { slotId: timeSlot, holder: known.holder }, reply)
      return assertJustified(isClosed || wasMoved || mayBeUnderWay || isGone || noPlace, request, reply)
    },
    check: (reply, model) => assertCapacity(model, timeSlot, reply.ret),
  })
}

const DAYS_START = visitSlots[0]!

function checkForeign({ run }: ActContext, operation: string, reply: Reply, status: number): false {
  if (reply.status !== status) violated('10 foreign is unknown', `${operation} gave ${reply.status} ${reply.text}`)
  run.checkUnknown(operation, reply)
  return false
}

const cancel = (kind: Request['kind']) => async (context: ActContext) => {
  const { request: target, srid, caller, isOwn } = pickRequest(context, kind)
  const url = kind === 'ticket' ? `${BASE}/dealer/customers/ticket/${srid}` : `${BASE}/instore/cancel?srid=${srid}`
  const request: Asked = { method: 'DELETE', url, headers: asUser(caller) }
  await ask(context, request, {
    ends: (model) => (isOwn ? spansOf(model.find(srid)) : []),
    judge: (reply, model) => {
      if (!target || !isOwn) return checkForeign(context, `cancel ${kind}`, reply, kind === 'ticket' ? 204 : 404)
      const known = model.find(srid)!
      const isDone = reply.status === 200 && /"(cancelled|success)":true/.test(reply.text)
      if (isDone) {
        if (!known.open.wasPossible(reply)) violated('refusals', `${srid} was cancelled twice`)
        return true
      }
      const isGone = !known.exists.wasSure(reply)
      const mayBeUnderWay = mayBeAfter(context, model, startOf(DAYS_START))
      const isRejection = reply.status === 200 || reply.status === 204
      const mayBeClosed = !known.open.wasSure(reply)
      return assertJustified(isGone || (isRejection && (mayBeUnderWay || mayBeClosed)), request, reply)
    },
  })
}

const detail = (kind: Request['kind']) => async (context: ActContext) => {
  const { request: target, srid, caller, isOwn } = pickRequest(context, kind)
  const url = kind === 'ticket' ? `${BASE}/dealer/tickets/${srid}` : `${BASE}/instore/detail?srid=${srid}`
  const request: Asked = { method: 'GET', url, headers: asUser(caller) }
  await ask(context, request, {
    judge: (reply, model) => {
      if (!target || !isOwn) return checkForeign(context, `detail ${kind}`, reply, kind === 'ticket' ? 404 : 204)
      const known = model.find(srid)!
      if (reply.status !== 200) return assertJustified(!known.exists.wasSure(reply), request, reply)
      const { status, images } = JSON.parse(reply.text) as { status: string; images: unknown[] }
      const isOpen = status !== 'E0003'
      const mayHaveLapsed = mayBeAfter(context, model, lapseOf(DAYS_START))
      if (isOpen ? !known.open.wasPossible(reply) : known.open.wasSure(reply) && !mayHaveLapsed) {
        violated('1 acknowledged is kept', `${srid} of ${model.name} is ${isOpen ? 'open' : 'closed'}: ${reply.text}`)
      }
      const sure = known.images.filter(({ span }) => span.wasSure(reply)).length
      if (images.length < sure || images.length > MOST_IMAGES)
        violated('1 acknowledged is kept', `images of ${srid}: ${images.length}, not ${sure}`)
      return false
    },
  })
}

/** Reads the key from the email, as a client would. Then uses this key or a wrong one. */
async function cancelByEmail(context: ActContext): Promise<void> {
  const { chance } = context
  const listed = await ask(context, { method: 'GET', url: '/_control/outbox?limit=100' }, { judge: () => false })
  const links = [...(listed?.text.matchAll(/cancel\?srid=(\d+)&key=(\w+)/g) ?? [])]
  if (links.length === 0) return
  const [, srid = '', key = ''] = chance.of(links)
  const isWrong = chance.once(4)
  const request: Asked = {
    method: 'DELETE',
    url: `${BASE}/instore/noauth/emailcancel?srid=${chance.once(8) ? UNKNOWN : srid}&key=${isWrong ? key.toLowerCase() : key}`,
    headers: { 'request-source': 'vendor.com' },
  }
  const isReal = !isWrong && !request.url.includes(UNKNOWN)
  await ask(context, request, {
    ends: (model) => {
      if (isReal) model.doubted.add(srid)
      return isReal ? spansOf(model.find(srid)) : []
    },
    judge: (reply, model) => {
      const known = model.find(srid)
      if (!isReal) return checkForeign(context, 'cancel by e-mail', reply, 404)
      if (reply.status === 200 && reply.text.includes('true')) {
        if (known && !known.open.wasPossible(reply)) violated('12 a used key is dead', `${srid} was cancelled twice`)
        return true
      }
      if (reply.status === 200) {
        const mayBeUnderWay = mayBeAfter(context, model, startOf(DAYS_START))
        return assertJustified(known?.open.wasSure(reply) !== true || mayBeUnderWay, request, reply)
      }
      context.run.checkUnknown('cancel by e-mail', reply)
      return assertJustified(reply.status === 404 && known?.exists.wasSure(reply) !== true, request, reply)
    },
  })
}

/**
 * For operation 37, the number of free slots must be at least the capacity minus all possible bookings, and at most the
 * capacity minus all certain bookings.
 */
async function listSlots(context: ActContext): Promise<void> {
  const query = `ascType=WALKIN&ascCode=${CENTER}&start=${DAYS[0]}&end=${DAYS[1]}`
  const request: Asked = { method: 'GET', url: `${BASE}/instore/noauth/slots?${query}`, headers: asUser('ann') }
  await ask(context, request, {
    judge: (reply, model) => {
      if (reply.status !== 200) return unexpected(request, reply)
      const { schedule } = JSON.parse(reply.text) as {
        schedule: { date: string; slots: { startTime: string; remaining: number }[] }[]
      }
      for (const date of DAYS) {
        for (const time of TIMES) {
          const slotId = `${CENTER}-WI-${date.replaceAll('-', '')}-${time.replace(':', '')}`
          const left =
            schedule.find((day) => day.date === date)?.slots.find(({ startTime }) => startTime === time)?.remaining ?? 0
          const places = slotsIn(model.requests, slotId)
          const most = SLOT_CAPACITY - places.filter(({ span }) => span.wasSure(reply)).length
          const least = SLOT_CAPACITY - places.filter(({ span }) => span.wasPossible(reply)).length
          const isOver = left === 0 && mayBeAfter(context, model, startOf(slotId) - NOTICE)
          if (left > most || (left < least && !isOver))
            violated('2 capacity is exact', `${slotId} has ${left} left, not ${least} to ${most}`)
        }
      }
      return false
    },
  })
}

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000000000', 'hex')

/** Uploads one image, or in parallel more images than a service request may have. */
async function uploadImages(context: ActContext): Promise<void> {
  const picked = pickRequest(context, context.chance.of(['ticket', 'inStore'] as const))
  const count = context.chance.once(2) ? 1 : 6
  await Promise.all(Array.from({ length: count }, () => uploadImage(context, picked)))
}

async function uploadImage(context: ActContext, picked: ReturnType<typeof pickRequest>): Promise<void> {
  const { chance } = context
  const { request: target, srid, caller } = picked
  const mark = chance.once(3) ? 0 : context.run.newValue()
  const bytes = Buffer.concat([PICTURE, Buffer.from(`${mark}`)])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const head =
    '--b\r\ncontent-disposition: form-data; name="imageFile"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')])
  const headers = { ...asUser(caller), 'content-type': 'multipart/form-data; boundary=b' }
  const request: Asked = {
    method: 'POST',
    url: `${BASE}/guest/serviceRequest/asset/symptomImage?srid=${srid}`,
    headers,
    payload,
  }
  const image = { sha256, span: new Span({ call: context.run.tick() }) }
  await ask(context, request, {
    adds: addTo((model) => model.find(srid)?.images, image),
    judge: (reply, model) => {
      // In operation 26, anyone who knows the srid may upload images.
      if (!target) return checkForeign(context, 'upload', reply, 404)
      const { exists, images } = model.find(srid)!
      if (reply.status === 200) {
        image.span.isFrom = reply.ret
        return true
      }
      const possible = images.filter((each) => each !== image && each.span.wasPossible(reply)).length
      const isFull = codeOf(reply) === 'LimitExceeded' && possible >= MOST_IMAGES
      return assertJustified(isFull || (reply.status === 404 && !exists.wasSure(reply)), request, reply)
    },
    check: (reply, model) => {
      const sure = model.find(srid)!.images.filter(({ span }) => span.isSure(reply.ret)).length
      if (sure > MOST_IMAGES) violated('2 four images', `${sure} images of ${srid} in ${model.name}`)
    },
  })
}

export const supportActs: readonly Act[] = [
  { name: 'create in store', weight: 12, run: createInStore },
  { name: 'create a ticket', weight: 10, run: createTicket },
  { name: 'reschedule a ticket', weight: 6, run: rescheduleTicket },
  { name: 'cancel a ticket', weight: 6, run: cancel('ticket') },
  { name: 'cancel in store', weight: 7, run: cancel('inStore') },
  { name: 'cancel by e-mail', weight: 4, run: cancelByEmail },
  { name: 'look at a ticket', weight: 4, run: detail('ticket') },
  { name: 'look in store', weight: 4, run: detail('inStore') },
  { name: 'list slots', weight: 4, run: listSlots },
  { name: 'upload an image', weight: 8, run: uploadImages },
]
