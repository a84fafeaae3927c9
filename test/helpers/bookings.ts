import { ticketAppointmentOperations } from '../../src/contract/documents/support/dealer/ticket-appointments.ts'

/** This time slot exists only in a world that starts on Wednesday, 6 May 2026. */
export const booking = {
  ...ticketAppointmentOperations[8].example.body,
  appointmentDate: '2026-05-08',
  timeSlot: 'ASC001-IH-20260508-AM',
}
