import type {
  InStoreServiceRequest,
  InStoreServiceRequestResponse,
  PostDealerCustomersTicketRequest,
  ServiceRequest,
} from 'vendor-cloud/types'
import type { SupportClient } from './support.ts'
import { LostAnswer, Refusal } from './wire.ts'

export interface WalkInSlot {
  date: string
  startTime: string
}
export type Visit = Omit<InStoreServiceRequest, 'ascType' | 'ascCode' | 'appointmentDate' | 'startTime'>

/** Returns undefined if no slot is suitable. */
export type Choice<Slot> = (free: readonly Slot[]) => Slot | undefined | Promise<Slot | undefined>

/** Throws if the response is lost, because only the confirmation email shows whether the visit was booked. */
export async function bookVisit(
  support: SupportClient,
  visit: Visit,
  choose: Choice<WalkInSlot>,
): Promise<InStoreServiceRequestResponse> {
  const { zipCode, modelCode, mobilePhone } = visit
  const { ascType, ascCode } = await support.call('GET /stg/us/instore/noauth/nearest', {
    zipCode,
    ...(modelCode !== undefined && { modelCode }),
  })
  const { exist } = await support.call('GET /stg/us/instore/checkmobile')
  if (!exist && mobilePhone === undefined) throw new Error('the user has no mobile number, but one is required')
  const offer = async () => {
    const { schedule } = await support.call('GET /stg/us/instore/noauth/slots', { ascType, ascCode })
    return schedule.flatMap(({ date, slots }) => slots.map(({ startTime }) => ({ date, startTime })))
  }
  return takeSlot(offer, choose, ({ date, startTime }) =>
    support.call('POST /stg/us/instore/create', {}, { ...visit, ascType, ascCode, appointmentDate: date, startTime }),
  )
}

export interface TechnicianSlot {
  date: string
  slotId: string
  startTime: string
  endTime: string
}
export type Ticket = Omit<PostDealerCustomersTicketRequest, 'ascCode' | 'appointmentDate' | 'timeSlot'>

/** If the response is lost, looks for the ticket before the next try, so that no ticket is opened twice. */
export async function openTicket(
  support: SupportClient,
  ticket: Ticket,
  zipCode: string,
  choose: Choice<TechnicianSlot>,
): Promise<ServiceRequest> {
  const { modelCode, serialNumber, bpNo } = ticket
  const look = () => support.call('GET /stg/us/dealer/schedule', { modelCode, zipCode })
  const { ascCode } = await look()
  const offer = async () =>
    (await look()).schedules.flatMap(({ date, slots }) =>
      slots.filter(({ available }) => available).map((slot) => ({ ...slot, date })),
    )
  return takeSlot(offer, choose, async ({ date, slotId }) => {
    const draft = { ...ticket, ascCode, appointmentDate: date, timeSlot: slotId }
    const post = () => support.call('POST /stg/us/dealer/customers/ticket', {}, draft)
    try {
      return await post()
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error
    }
    const list = { bpNoList: [bpNo], statusList: ['E0001' as const] }
    for await (const each of support.items('GET /stg/us/dealer/tickets', list, ({ srid }) => srid)) {
      if (each.serialNumber === serialNumber && each.appointment?.date === date) return each
    }
    return post()
  })
}

/** If another client has booked the slot, chooses a different one. */
async function takeSlot<Slot, Booked>(
  offer: () => Promise<Slot[]>,
  choose: Choice<Slot>,
  book: (slot: Slot) => Promise<Booked>,
): Promise<Booked> {
  const gone = new Set<string>()
  for (;;) {
    const free = await offer()
    const slot = await choose(free.filter((each) => !gone.has(JSON.stringify(each))))
    if (slot === undefined) throw new Error('no suitable slot is free')
    try {
      return await book(slot)
    } catch (error) {
      if (!(error instanceof Refusal && error.codes.includes('SlotUnavailable'))) throw error
      gone.add(JSON.stringify(slot))
    }
  }
}
