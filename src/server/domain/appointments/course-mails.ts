import type { OutboxMessage } from '../../../contract/records/control/outbox-message.ts'
import type { MoveName, MovingRequest } from './course-moves.ts'

const words: Readonly<Record<MoveName, { subject: string; sentence: (time: string) => string }>> = {
  CONFIRMED: { subject: 'is confirmed', sentence: (time) => `Your appointment is confirmed: ${time}.` },
  CANCELLED_BY_VENDOR: {
    subject: 'is cancelled',
    sentence: (time) => `We are sorry: we had to cancel your appointment, ${time}. The request is closed.`,
  },
  TECHNICIAN_LATE: {
    subject: 'is delayed',
    sentence: (time) => `We are running late today. Your appointment is now: ${time}.`,
  },
  PARTS_ORDERED: {
    subject: 'waits for parts',
    sentence: (time) => `We have ordered parts for your product. Your next appointment: ${time}.`,
  },
  COMPLETED: { subject: 'is completed', sentence: (time) => `The service of ${time} is completed.` },
}

/** `request` stands as the move has left it. */
export function toMoveMail(request: MovingRequest, move: MoveName, sentAt: string, messageId: string): OutboxMessage {
  const { srid, ticketNumber, appointment } = request
  const { firstName, email } = 'customer' in request ? request.customer : request
  const { date, startTime, endTime, timeZone } = appointment!
  const { subject, sentence } = words[move]
  const text = sentence(`${date}, ${startTime} to ${endTime} (${timeZone})`)
  return {
    messageId,
    channel: 'EMAIL',
    to: email,
    subject: `Your service request ${ticketNumber} ${subject}`,
    text: `Hello ${firstName},\n\n${text}`,
    links: [],
    srid,
    sentAt,
  }
}
