import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { InStoreDraft, InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import { withStatusAt } from '../appointments/appointments.ts'
import { requirePlace, takePlace } from '../appointments/bookings.ts'
import { DomainError, type Finding, type FindingOrigin, finding, invalidInput, notFound } from '../errors.ts'
import { type User, requireProfile } from '../identity.ts'
import { newId, newRequestIds, newToken, takeRequestIds } from '../ids.ts'
import { assertAcceptable, isRegistered } from './in-store-products.ts'
import { requireCenterOfType } from './in-store-slots.ts'
import { isOpen, openProgress } from '../progress.ts'
import { walkInSlotId } from '../appointments/slots.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
import { escapeHtml } from '../html.ts'
import { findPhoneNumber } from '#contract/records/formats.ts'
import type { Profile } from '#contract/records/profile.ts'

/** The key cancels one request without an account. 24 letters and digits have more than 128 random bits. */
const CANCEL_KEY_LENGTH = 24

/** Operation 33. One transaction, so that parallel requests create one request, one booking and one email. */
export async function createInStoreRequest(
  ports: Ports,
  user: User,
  draft: InStoreDraft,
  baseUrl: string,
): Promise<InStoreRequest> {
  const now = ports.clock.now()
  const at = new Date(now).toISOString()
  const ids = await newRequestIds(ports.random)
  const appointmentId = await newId(ports.random, 'appointment', 'A')
  const messageId = await newId(ports.random, 'message', 'M')
  const cancelKey = await newToken(ports.random, 'cancelKey', CANCEL_KEY_LENGTH)
  return ports.store.transaction(async (tx) => {
    const profile = await requireProfile(tx, user, 'our choice: in-store-references')
    await assertUsable(ports, tx, profile, draft)
    const center = await requireCenterOfType({ store: tx }, draft.ascCode, draft.ascType)
    const product = await assertAcceptable(tx, center, draft, now)
    const registered = await isRegistered(tx, user, product, draft)
    if (!registered) await assertNoOtherOpen(tx, user, now)
    const { appointmentDate: date, startTime } = draft
    const slotId = walkInSlotId(center.ascCode, date, startTime)
    const place = await requirePlace(tx, { center, kind: 'WI', date, slotId, holder: user.userId, now })
    const { srid, ticketNumber } = await takeRequestIds(tx, ids)
    const { mobilePhone: _, ...requested } = draft
    const request: InStoreRequest = {
      ...requested,
      ...openProgress(at, 'CREATED'),
      srid,
      ticketNumber,
      serviceType: 'CI',
      userId: user.userId,
      mobilePhone: profile.mobilePhone ?? findMobilePhone(draft),
      registered,
      store: toSite(center),
      appointment: await takePlace(tx, place, { srid, appointmentId }),
      images: [],
      createdAt: at,
      updatedAt: at,
      cancelKeyDigest: ports.digests.sha256(cancelKey),
    }
    await tx.inStoreRequests.put(request)
    await tx.outbox.put({ ...toConfirmationMail(request, cancelKey, baseUrl), messageId, sentAt: at })
    return request
  })
}

/** Operation 32. */
export async function checkMobileNumber({ store }: Ports, user: User): Promise<{ exist: boolean }> {
  const { mobilePhone } = await requireProfile(store, user, 'document 1, section 7')
  return { exist: mobilePhone !== undefined }
}

export async function lookUpInStoreRequest({ store, clock }: Ports, user: User, srid: string) {
  const request = await findInStoreRequest(store, user, srid)
  return request && withStatusAt(request, clock.now())
}

/** Only for the journal and the log. */
export async function whyNoInStoreRequest(
  { store }: Ports,
  srid: string,
  rule: 'cancel-nothing' | 'no-in-store-request',
) {
  const exists = (await store.inStoreRequests.get(srid)) !== undefined
  const reason = exists ? 'the request with this srid belongs to another user' : 'no in-store request has this srid'
  return notFound(reason, `our choice: ${rule}`)
}

export async function findInStoreRequest(
  { inStoreRequests }: View,
  { userId }: User,
  srid: string,
): Promise<InStoreRequest | undefined> {
  const request = await inStoreRequests.get(srid)
  return request?.userId === userId ? request : undefined
}

/** Our choice: E0001 and E0002 count as open until the automatic closing, even after a missed appointment. */
async function assertNoOtherOpen({ inStoreRequests }: View, { userId }: User, now: number): Promise<void> {
  const open = await inStoreRequests.find({ where: { userId, status: ['E0001', 'E0002'] } })
  const other = open.find((request) => !request.registered && isOpen(withStatusAt(request, now)))
  if (!other) return
  const message = `you already have an open request for an unregistered product: ${other.srid}`
  throw new DomainError('conflict', message, { source: 'document 1, section 4, rule 2' })
}

function toSite(center: ServiceCenter): InStoreRequest['store'] {
  const { ascCode, ascType, ascName, phoneNumber, address1, city, state, zipCode, timeZone } = center
  return { ascCode, ascType, ascName, phoneNumber, address1, city, state, zipCode, timeZone }
}

/** Opening the link does not cancel the request (our choice), because email scanners open links. */
function toConfirmationMail(
  request: InStoreRequest,
  key: string,
  baseUrl: string,
): Omit<OutboxMessage, 'messageId' | 'sentAt'> {
  const { srid, ticketNumber, email, firstName, store, appointment } = request
  const href = `${baseUrl}/cancel?srid=${srid}&key=${key}`
  const place = `${store.ascName}, ${store.address1}, ${store.city}, ${store.state} ${store.zipCode}`
  const time = `${appointment.date}, ${appointment.startTime} to ${appointment.endTime}`
  const sentences = [
    `Hello ${firstName},`,
    `your in-store service request ${ticketNumber} is booked: ${time} (${appointment.timeZone}).`,
    `Bring the product to ${place}. Questions? Call ${store.phoneNumber}.`,
  ]
  const invitation = "Can't make it? You can cancel the appointment on this page at any time before it begins:"
  return {
    channel: 'EMAIL',
    to: email,
    subject: `Your service appointment on ${appointment.date}, request ${ticketNumber}`,
    text: [...sentences, invitation, href].join('\n\n'),
    html: [
      ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
      `<p>${invitation} <a href="${escapeHtml(href)}">Cancel the appointment</a></p>`,
    ].join('\n'),
    links: [{ rel: 'cancel', href }],
    srid,
  }
}

/** Document 1, section 4, rule 2: the number in the request is ignored if the profile has one. */
async function assertUsable({ zipCodes }: Ports, view: View, profile: Profile, draft: InStoreDraft): Promise<void> {
  const findings: Finding[] = []
  const ours = { source: 'our choice: in-store-references' } as const
  const add = (field: string, rule: string, from: FindingOrigin = ours) =>
    findings.push(finding(`body.${field}`, rule, from))
  if (profile.mobilePhone === undefined && findMobilePhone(draft) === undefined) {
    const source = 'document 1, section 4, rule 2'
    const missing = { code: 'MissingParameter', source } as const
    const malformed = { source: 'our choice: field-forms' } as const
    if ((draft.mobilePhone ?? '') !== '') add('mobilePhone', 'must be a phone number such as 201-555-0143', malformed)
    else add('mobilePhone', 'is required, since your profile has no mobile number', missing)
  }
  for (const [i, symptomId] of draft.symptoms.entries()) {
    const known = await view.inStoreSymptoms.get(symptomId)
    if (!known) add(`symptoms[${i}]`, 'is not listed by GET /stg/us/instore/noauth/symptoms')
  }
  if (!zipCodes.find(draft.zipCode.slice(0, 5))) add('zipCode', 'is a zip code that is not in use')
  if (findings.length > 0) throw invalidInput(findings)
}

function findMobilePhone({ mobilePhone }: InStoreDraft): string | undefined {
  return typeof mobilePhone === 'string' ? findPhoneNumber(mobilePhone) : undefined
}
