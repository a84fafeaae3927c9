import { ticketAppointmentOperations } from '../../src/contract/documents/support/dealer/ticket-appointments.ts'

/** The example of operation 8, on a Friday, in a window that there is in a world of Wednesday 6 May 2026. */
export const booking = {
  ...ticketAppointmentOperations[8].example.body,
  appointmentDate: '2026-05-08',
  timeSlot: 'ASC001-IH-20260508-AM',
}
