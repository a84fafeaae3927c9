import { z } from 'zod'
import { defineChoices } from './choice.ts'
import { oneOf } from './value.ts'

export const ticketsChoices = defineChoices('Tickets', 'document 1', {
  'ticket-statuses': {
    silence: 'E0001, E0002, E0003',
    choice:
      'open: appointment requested; in process; closed, `statusReasonCode` COMPLETED, CANCELLED, NO_SHOW ' +
      'or CANCELLED_BY_VENDOR',
  },
  'ticket-ids': {
    silence: 'ids',
    choice: 'srid and ticketNumber: 10 digits each, not in sequence',
    why: 'an srid must not be guessable',
  },
  'ticket-references': {
    operations: [8],
    silence: '8: unknown model, center, customer',
    choice:
      '404; a symptom out of its place, a center that does not visit there for the product, another ' +
      "company's `storeNumber`: 400",
  },
  'ticket-fields': {
    silence: 'what 8 and 9 require',
    choice: 'as in [support.yaml](support.yaml); `timeSlot` is a slotId of 16',
  },
  'ticket-product': {
    operations: [8],
    silence: '8: product',
    choice: 'need not be registered; in warranty by the registered product, else by purchaseDate, else not',
  },
  'out-of-warranty': {
    operations: [8],
    silence: '8: a center that takes no work out of warranty',
    choice:
      'a product whose warranty is over: 400, as 16 names no such center with `inWarranty=false`; one of ' +
      'which neither a registration nor a purchaseDate tells is taken',
    why: '16 asks the dealer, and lists the center unless told `false`',
  },
  'reschedule-out-of-warranty': {
    operations: [9],
    silence: '9: the same center, a product out of warranty by now',
    choice: '400 where the center takes no such work, as on 8',
  },
  'ticket-windows': {
    operations: [8, 9],
    silence: '8, 9: which windows',
    choice: 'those of the 14 days that 16 lists; any other is 400 `SlotUnavailable`',
  },
  reschedule: {
    operations: [9],
    silence: '9: when',
    choice:
      'E0001 or E0002 before the appointment starts, E0001 when it was missed; else, and for a dispute, ' +
      '400 `ConflictError`; slot gone: 400 `SlotUnavailable`; more than 1,000 times: 400 `LimitExceeded`; ' +
      'unknown: 404',
  },
  missed: {
    operations: [9, 10, 31, 33],
    silence: 'missed',
    choice:
      'the appointment of an E0001 request that has ended is MISSED ("Open: appointment missed"), told by ' +
      'the clock when asked; the request is open for 24 hours more, can be rescheduled and cancelled, and ' +
      "is the user's open one on 33",
    why: 'a passed visit is no dead end',
  },
  'missed-closes-after': {
    operations: [9, 10, 19, 20, 31, 33, 34, 35],
    silence: '24 hours after',
    choice:
      'it is closed: E0003, NO_SHOW, with its history entry, on 9, 10, 19, 20, 31, 33 to 35 and in ' +
      "`statusList` and counts; the control API's records show what is stored, and `updatedAt` is when " +
      'somebody changed the request last',
    why: 'lists are sorted by it; the instant of the closing stands in the history',
  },
  'confirmed-and-over': {
    silence: 'confirmed (E0002), and its time is over',
    choice: 'in process until it is completed, never missed: 9, 10, 31 and 35 answer as for one under way',
    why: 'work that went well is no miss',
  },
  'ticket-progress': {
    value: oneOf('off', 'auto'),
    silence: 'who moves a request on',
    choice:
      'the control API alone; by itself it is only missed and closed. With `auto` the clock, told when asked: ' +
      'confirmed within 4 working hours and when it starts at the latest, completed at its end; of ten one waits for ' +
      'parts, one technician is late, one is closed by the vendor; what has happened stays when the clock goes back',
  },
  'cancel-nothing': {
    value: z.literal([404, 204]).default(404),
    operations: [31],
    silence: "31: a request that is unknown, or another's",
    choice: '404',
  },
  'previous-appointments': {
    silence: '`previousAppointments`',
    choice: 'RESCHEDULED; a missed one stays MISSED, also when its request is cancelled',
  },
})

export const bookingsChoices = defineChoices('Bookings', 'document 1', {
  'lead-time': {
    operations: [8, 9, 16, 25, 33, 37],
    silence: 'what is offered',
    choice: 'nothing past or starting within an hour, an hour sharp included',
  },
  'booking-overlap': {
    operations: [8, 9, 33],
    silence: 'many at once',
    choice:
      'checked and written in one transaction; a user, for tickets a bpNo, holds no two overlapping ' +
      'bookings (400 `ConflictError`); full is told first',
  },
  'slot-unavailable': {
    operations: [8, 9, 33],
    silence: 'a slot that is gone or never was',
    choice: '400 `SlotUnavailable`',
  },
  'in-home-days': {
    operations: [16, 25],
    silence: '16, 25 list',
    choice:
      '14 days of windows AM and PM of the nearest center that covers zip code and product; a full one ' +
      'stays with `available` false',
  },
  'schedule-defaults': {
    operations: [16, 25],
    silence: '16, 25: defaults',
    choice: '`zipCode` 07660, `modelCode` VM-TV55; `ascCode` narrows',
  },
  'schedule-subtype': {
    operations: [16, 25],
    silence: '16, 25: `subType`',
    choice: "the model's, else 404; without a model it names the product",
  },
  'schedule-centers': {
    operations: [16, 25],
    silence: '16, 25: `type`, `inWarranty`',
    choice: 'choose among centers by their `inHome` record: `types`, `outOfWarranty`; silent: both',
  },
  'own-windows': {
    operations: [16, 25],
    silence: '16, 25: `isReschedule`',
    choice:
      'a full window in which the caller (a dealer: its company) holds a place is available and names in ' +
      '`ownRequests` the srids of open tickets that hold it, since 9 takes it for these only; `remaining` ' +
      'stays 0; one that records of the control API have overbooked is not',
    why: 'a place given up is not free',
  },
  'schedule-not-found': {
    operations: [16, 25],
    silence: '16, 25: unknown zip code, model, `ascCode`, or no center for all',
    choice: '404 schedule not found',
  },
  'zip-digits': {
    operations: [16, 25, 36, 37],
    silence: '16, 25, 36, 37: zip codes of 5+4',
    choice: 'count by their first five digits',
  },
  'zip-plus-four': {
    value: oneOf('refused', 'accepted'),
    operations: [30],
    silence: '30: 5+4 digits',
    choice: '400',
    why: 'it is asked whether a text is a 5-digit code',
  },
  'slot-window': {
    operations: [37],
    silence: '37: calling date; window',
    choice:
      "the center's local date; both ends included, the end at most 31 days after the start, else 400 as " +
      'for an end before its start; days more than 60 ahead have no slot, as 33 takes none',
  },
  'in-store-days': {
    operations: [33, 37],
    silence: '33, 37: how far ahead',
    choice: '60 days: later ones have no slot on 37, and are 400 on 33',
  },
  holidays: {
    operations: [8, 9, 16, 17, 25, 33, 37],
    silence: 'public holidays',
    choice:
      'centers and stores are closed on the days of 5 U.S.C. 6103 themselves, none observed; 17 lists those of ' +
      'this year and the next in `closedDates`',
  },
  'slot-center': {
    operations: [37],
    silence: '37: center unknown or of another ascType',
    choice: '404; only WALKIN has slots, others an empty schedule',
  },
  'slot-parameters': {
    operations: [37],
    silence: '37: `symptoms`, `zipCode`',
    choice: 'of operation 38; in use; else 400',
  },
  'daylight-saving': {
    silence: 'daylight saving',
    choice: 'a local start that does not exist is no slot; of one that exists twice the first counts',
  },
})
