import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { generalResponse, serviceRequest } from '#contract/records/dealer/service-request.ts'
import { rescheduleDraft, ticketDraft } from '#contract/records/dealer/ticket.ts'

export const ticketAppointmentOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal', awaitsProgress: true },
  {
    8: {
      route: 'POST /stg/us/dealer/customers/ticket',
      summary: 'Create a ticket with an appointment',
      body: ticketDraft,
      reply: serviceRequest,
      otherStatuses: [201, 404],
      example: {
        body: {
          bpNo: '1000000001',
          modelCode: 'VM-TV55',
          serialNumber: '0TV55NEW01B',
          serviceType: 'IH',
          symCode1: 'TV1',
          symCode2: 'TV11',
          symCode3: 'TV111',
          problemDescription: 'The picture flickers after ten minutes.',
          ascCode: 'ASC001',
          appointmentDate: '{{appointmentDate}}',
          timeSlot: '{{timeSlot}}',
        },
      },
    },
    9: {
      route: 'POST /stg/us/dealer/customers/ticket/reschedule',
      summary: 'Reschedule a ticket',
      body: rescheduleDraft,
      reply: serviceRequest,
      otherStatuses: [201, 404],
      example: {
        body: {
          srid: '4100000017',
          appointmentDate: '{{laterDate}}',
          timeSlot: '{{laterSlot}}',
          rescheduleReasonCode: 'CUSTOMER_REQUEST',
        },
      },
    },
    10: {
      route: 'DELETE /stg/us/dealer/customers/ticket/:srid',
      summary: 'Cancel a ticket',
      params: z.object({ srid: z.string() }),
      reply: generalResponse,
      otherStatuses: [204],
      example: { params: { srid: '4100000017' } },
    },
  },
)
