import { createHash } from 'node:crypto'
import { lapseOf } from './slots.ts'
import { START } from '../environment/scheduler.ts'
import { SLOT_CAPACITY, VISIT_CAPACITY } from '../environment/small-world.ts'
import { Span, violated, type Window } from './span.ts'
import { newChain } from './client-stream.ts'
import { type Request, WorldModel } from './world-model.ts'
import { readParts } from '../../helpers/documents/snapshots.ts'

type Record = { readonly [field: string]: string | undefined }
type Image = { imageId: string; sha256: string }
type ServiceRecord = Record & {
  srid: string
  images: Image[] & string
  registered: boolean & string
  appointment: { appointmentId: string } & string
}

export interface Snapshot {
  clock: { offsetMs?: number; frozenAt?: string }
  records: {
    [collection: string]: Record[]
    tickets: ServiceRecord[]
    inStoreRequests: ServiceRecord[]
  }
  blobs: { [sha256: string]: string }
}

export const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

export function readSnapshot(text: string): Snapshot {
  return readParts(text) as Snapshot
}

/** Returns the time on the clock of the world from which the snapshot was taken. Milliseconds since the epoch. */
export function timeIn({ clock: { frozenAt, offsetMs = 0 } }: Snapshot, now: number): number {
  return frozenAt === undefined ? START + now + offsetMs : Date.parse(frozenAt)
}

const requestsIn = ({ records }: Snapshot) => [...records.tickets, ...records.inStoreRequests]
const isOpen = ({ status }: Record) => status !== 'E0003'

/** Checks guarantee 4: related records exist together. Also checks guarantee 2 in the records. */
export function checkWhole(snapshot: Snapshot, where: string): void {
  const { records, blobs } = snapshot
  const bookings = new Map(records['bookings']!.map((each) => [each['appointmentId']!, each]))
  for (const request of requestsIn(snapshot)) {
    const { srid, appointment, images } = request
    const booking = bookings.get(appointment.appointmentId)
    if (isOpen(request) !== (booking?.['srid'] === srid))
      violated('4 snapshots are whole', `the place of ${srid} in ${where}`)
    bookings.delete(appointment.appointmentId)
    const kept = records['symptomImages']!.filter((each) => each['srid'] === srid).map(({ imageId }) => imageId)
    const named = images.map(({ imageId }) => imageId)
    if (named.length > 4) violated('2 four images', `${named.length} of ${srid} in ${where}`)
    if (named.sort().join() !== kept.sort().join())
      violated('4 snapshots are whole', `the images of ${srid} in ${where}`)
    for (const image of images) {
      const bytes = blobs[image.sha256]
      if (bytes === undefined || sha256(Buffer.from(bytes, 'base64')) !== image.sha256)
        violated('1 acknowledged is kept', `the bytes of ${image.imageId} in ${where}`)
    }
  }
  if (bookings.size > 0) violated('4 snapshots are whole', `places of nobody in ${where}: ${[...bookings.keys()]}`)
  checkSlots(records['bookings']!, where)
  const mails = records['outbox']!.map(({ srid }) => srid).sort()
  const expected = records.inStoreRequests.map(({ srid }) => srid).sort()
  if (mails.join() !== expected.join())
    violated('4 snapshots are whole', `mails of ${mails}, requests ${expected} in ${where}`)
  const counted = records.inStoreRequests.filter((each) => isOpen(each) && !each.registered)
  const second = counted.find((one) => counted.some((other) => other !== one && wereOpenAtOnce(one, other)))
  if (second) violated('2 one open request', `${second.userId} in ${where}`)
}

/**
 * A request is closed one day after its appointment, but its record does not show this. After that, its user may create
 * another request.
 */
function wereOpenAtOnce(one: Record, other: Record): boolean {
  const lapseIn = ({ appointmentDate = '', startTime = '' }: Record) =>
    lapseOf(`--${appointmentDate.replaceAll('-', '')}-${startTime.replace(':', '')}`)
  const isAfter = (a: Record, b: Record) => Date.parse(a['createdAt']!) >= lapseIn(b)
  return one['userId'] === other['userId'] && !isAfter(one, other) && !isAfter(other, one)
}

function checkSlots(bookings: readonly Record[], where: string): void {
  const bySlot = new Map<string, string[]>()
  for (const { slotId = '', holder = '' } of bookings) bySlot.set(slotId, [...(bySlot.get(slotId) ?? []), holder])
  for (const [slotId, holders] of bySlot) {
    const capacity = slotId.includes('-WI-') ? SLOT_CAPACITY : VISIT_CAPACITY[slotId.endsWith('AM') ? 'AM' : 'PM']
    if (holders.length > capacity) violated('2 capacity is exact', `${holders.length} places of ${slotId} in ${where}`)
    if (new Set(holders).size < holders.length) violated('2 one place at a time', `${holders} in ${slotId} of ${where}`)
  }
}

/**
 * Compares the snapshot with what clients know in this window. Returns a difference that is impossible, or undefined.
 */
export function findDifference(model: WorldModel, snapshot: Snapshot, window: Window): string | undefined {
  const { records } = snapshot
  const found = new Map(requestsIn(snapshot).map((each) => [each.srid, each]))
  for (const known of model.requests) {
    const record = known.srid === undefined ? undefined : found.get(known.srid)
    if (!record && known.exists.wasSure(window)) return `request ${known.srid} is lost`
    if (record && isOpen(record) && !known.open.wasPossible(window)) return `request ${known.srid} is open again`
    if (record && !isOpen(record) && known.open.wasSure(window)) return `request ${known.srid} is closed`
    const place = record && records['bookings']!.find(({ srid }) => srid === known.srid)?.['slotId']
    const sure = known.places.find(({ span }) => span.wasSure(window))
    if (record && sure && place !== sure.slotId) return `request ${known.srid} holds ${place}, not ${sure.slotId}`
    const images = new Set(record?.images.map((each) => each.sha256))
    const lost = known.images.find(({ span, sha256: digest }) => span.wasSure(window) && !images.has(digest))
    if (lost) return `image ${lost.sha256} of ${known.srid} is lost`
  }
  const unknown = findUnknown(model, snapshot, window)
  if (unknown) return `request ${unknown} is from nowhere`
  const keys = (collection: string, key: string) => new Set(records[collection]!.map((each) => each[key]))
  return (
    compare(
      'token',
      model.tokens,
      ({ accessToken }) => sha256(accessToken),
      keys('accessTokens', 'tokenDigest'),
      window,
    ) ??
    compare(
      'subscription',
      model.subscriptions,
      (each) => each.subscriptionId,
      keys('subscriptions', 'subscriptionId'),
      window,
    ) ??
    compare(
      'service token',
      model.serviceTokens,
      ({ token }) => sha256(token),
      keys('serviceTokens', 'tokenDigest'),
      window,
    ) ??
    compare('purchase', model.purchases, ({ purchaseID }) => purchaseID, keys('purchases', 'purchaseID'), window, false)
  )
}

function compare<T extends { span: Span }>(
  what: string,
  known: readonly T[],
  keyOf: (each: T) => string,
  found: ReadonlySet<string | undefined>,
  window: Window,
  isUnique = true,
): string | undefined {
  for (const each of known) {
    const key = keyOf(each)
    if (each.span.wasSure(window) && !found.has(key)) return `${what} ${key} is lost`
    if (isUnique && !each.span.wasPossible(window) && found.has(key)) return `${what} ${key} is there again`
  }
  return undefined
}

function findUnknown(model: WorldModel, snapshot: Snapshot, window: Window): string | undefined {
  const models = new Set([model])
  for (const each of models) for (const parent of each.parents) models.add(parent)
  const all = [...models].flatMap(({ requests }) => requests)
  const ghosts = all.filter(({ srid, exists }) => srid === undefined && exists.wasPossible(window))
  for (const record of requestsIn(snapshot)) {
    if (all.some(({ srid }) => srid === record.srid)) continue
    const ghost = ghosts.findIndex(({ kind, owner }) => kind === kindOf(record) && owner === ownerOf(record))
    if (ghost < 0) return record.srid
    ghosts.splice(ghost, 1)
  }
  return undefined
}

const kindOf = ({ companyId }: ServiceRecord): Request['kind'] => (companyId === undefined ? 'inStore' : 'ticket')
const ownerOf = ({ companyId, userId }: ServiceRecord) => companyId ?? userId!

/** Builds the model of what clients know from the snapshot of a world that has no pending requests. */
export function rebuild(model: WorldModel, snapshot: Snapshot, tick: number, ahead: number): WorldModel {
  const { records } = snapshot
  const fresh = new WorldModel(model.name)
  const span = () => new Span({ call: tick }, tick)
  const never = () => Object.assign(span(), { isFrom: Infinity, mayTo: -1 })
  for (const record of requestsIn(snapshot)) {
    const place = records['bookings']!.find(({ srid }) => srid === record.srid)
    const known = model.find(record.srid)
    const kind = kindOf(record)
    fresh.requests.push({
      kind,
      srid: record.srid,
      owner: ownerOf(record),
      holder: kind === 'ticket' ? `bp:${record['bpNo']}` : ownerOf(record),
      isCounted: kind === 'inStore' && !record.registered,
      exists: span(),
      open: isOpen(record) ? span() : never(),
      places: place ? [{ slotId: place['slotId']!, span: span() }] : [],
      // The exact number of changes to the appointment is not known.
      wasMoved: !known || known.wasMoved || known.places.length > 1,
      asked: 0,
      answered: 0,
      images: record.images.map((each) => ({ sha256: each.sha256, span: span() })),
    })
  }
  const keys = (collection: string, key: string) => new Map(records[collection]!.map((each) => [each[key]!, each]))
  const [tokens, serviceTokens] = [keys('accessTokens', 'tokenDigest'), keys('serviceTokens', 'tokenDigest')]
  const subscriptions = keys('subscriptions', 'subscriptionId')
  // Copies the entries, because the original model may still be the right one and must not change.
  const kept = <T extends { span: Span }>(list: readonly T[], isThere: (each: T) => boolean) =>
    list.filter(isThere).map((each) => ({ ...each, span: span() }))
  fresh.tokens.push(...kept(model.tokens, ({ accessToken }) => tokens.has(sha256(accessToken))))
  fresh.serviceTokens.push(...kept(model.serviceTokens, ({ token }) => serviceTokens.has(sha256(token))))
  fresh.subscriptions.push(...kept(model.subscriptions, (each) => subscriptions.has(each.subscriptionId)))
  for (const each of records['purchases']!) {
    const isActive = each['cancellation'] === undefined
    fresh.purchases.push({
      purchaseID: each['purchaseID']!,
      seller: each['sellerSecret']!,
      span: span(),
      active: isActive ? span() : never(),
    })
  }
  for (const [value, emission] of model.emissions) fresh.emissions.set(value, emission)
  const { gapCause, wasMoved, wasSetBack } = model
  return Object.assign(fresh, { ahead, gapCause, wasMoved, wasSetBack })
}

/** After a restore, no stream can be resumed. */
export function forgetStreams(model: WorldModel, tick: number): WorldModel {
  for (const subscription of model.subscriptions)
    Object.assign(subscription, { chain: newChain(Infinity), devicesFrom: Infinity })
  return Object.assign(model, { gapCause: tick })
}
