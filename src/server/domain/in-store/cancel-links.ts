import type { Ports } from '#server/ports.ts'
import type { InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
import { escapeHtml } from '../html.ts'
import { newToken } from '../ids.ts'

/** The key cancels one request without an account; 24 letters and digits hold more than 128 random bits. */
export function newCancelKey({ random }: Ports): Promise<string> {
  return newToken(random, 'cancelKey', 24)
}

/** Opening the link cancels nothing (our choice), since mail scanners open links. */
export function toConfirmationMail(
  request: InStoreRequest,
  key: string,
  baseUrl: string,
): Omit<OutboxMessage, 'messageId' | 'sentAt'> {
  const { srid, ticketNumber, email, firstName, store, appointment } = request
  const href = `${baseUrl}/cancel?srid=${srid}&key=${key}`
  const place = `${store.storeName}, ${store.address1}, ${store.city}, ${store.state} ${store.zipCode}`
  const time = `${appointment.date}, ${appointment.startTime} to ${appointment.endTime}`
  const sentences = [
    `Hello ${firstName},`,
    `your in-store service request ${ticketNumber} is booked: ${time} (${appointment.timeZone}).`,
    `Bring the product to ${place}. Questions? Call ${store.phoneNumber}.`,
  ]
  const invitation = 'You cannot come? Cancel the appointment on this page, any time before it begins:'
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
