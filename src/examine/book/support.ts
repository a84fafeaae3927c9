import type { JournalEntry } from '../../client/world.ts'
import { type Chapter, header, none, noneOf, type Seen, some, someOf } from '../check.ts'
import { expecting } from '../stage.ts'
import { RULES, succeeded } from './support-always.ts'
import { lookups } from './support-lookups.ts'
import { kindsOf, varied } from './variation.ts'

const phone = 'a phone VM-S100 near the zip code 07660'
const book = `Book a walk-in visit for ${phone}: find the centre (36), its slots (37), book one (33), look at it (34).`
const bookings = (seen: Seen) => seen.requests(33)
const booked = (seen: Seen) => bookings(seen).filter(succeeded)

/** Tickets that are there to be paged through. */
const TICKETS = 45

const tickets = (seen: Seen) => seen.requests(8)

export const support: Chapter = [
  {
    name: 'support-book',
    task: book,
    play: expecting({ operation: 33, status: 200 }, { next: { operation: 34 } }),
    checks: [
      {
        name: 'books',
        level: 'MUST',
        source: RULES,
        rule: 'A visit that is free can be booked.',
        advice: 'Read `why` of the refused operation 33.',
        judge: (seen) => some(booked(seen), seen.requests()),
      },
      {
        name: 'asks-for-slots',
        level: 'SHOULD',
        source: 'document 1, section 4, rule 4',
        rule: 'What is free is asked for (37) before it is booked (33).',
        advice: 'Book a slot that operation 37 has just offered.',
        judge: (seen) => {
          const [first] = bookings(seen)
          return some(
            seen.requests(37).filter(({ id }) => first && id < first.id),
            bookings(seen),
          )
        },
      },
      {
        name: 'books-once',
        level: 'MUST',
        source: 'document 1, section 4, rule 2',
        rule: 'One visit is booked once.',
        advice: 'Do not send operation 33 again after it was answered.',
        judge: (seen) => none(bookings(seen).slice(1), bookings(seen)),
      },
    ],
  },
  {
    name: 'support-book-without-mobile',
    task: `${book} The user has no mobile number: ask (32), and give one.`,
    environment: { VENDOR_CLOUD_PROF_ID: 'web-bob' },
    play: (stage) => stage.need({ operation: 33 }),
    checks: [
      {
        name: 'gives-mobile-number',
        level: 'MUST',
        source: 'document 1, section 4, rule 2',
        rule: 'mobilePhone is sent when operation 32 reports no mobile number.',
        advice: 'Ask operation 32, and put mobilePhone into the body of operation 33 when `exist` is false.',
        judge: (seen) =>
          noneOf(
            bookings(seen),
            ({ request }) => !(request?.body as { mobilePhone?: string } | undefined)?.mobilePhone,
          ),
      },
    ],
  },
  {
    name: 'support-book-taken',
    task: `${book} Somebody else is faster: take another slot.`,
    prepare: ({ world }) =>
      // Matched by its body, so that it is read and stands in the journal.
      world.faults.add({
        match: { operation: 33, body: { ascType: 'WALKIN' } },
        respond: { status: 400, code: 'SlotUnavailable' },
        times: 1,
      }),
    play: expecting({ operation: 33 }, { next: { operation: 33, status: 200 } }),
    checks: [
      {
        name: 'takes-another-slot',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'SlotUnavailable is answered by choosing another slot.',
        advice: 'Offer the slots anew (37) and book another date or time; the same one will not come back.',
        judge: (seen) => {
          const [first, ...later] = bookings(seen)
          const slotOf = ({ request }: JournalEntry) => {
            const { appointmentDate, startTime } = (request?.body ?? {}) as Record<string, unknown>
            return `${appointmentDate} ${startTime}`
          }
          return first
            ? some(
                later.filter((each) => succeeded(each) && slotOf(each) !== slotOf(first)),
                bookings(seen),
              )
            : 'not met'
        },
      },
    ],
  },
  {
    name: 'support-ticket-lost',
    task:
      'As the dealer VENDOR_CLOUD_DEALER open a ticket (8) for customer 1000000001, product VM-TV55 with serial ' +
      'number 0TV55XYZ12A, in a slot of operation 16. The answer may be lost: then look (19) before you try again.',
    prepare: ({ world }) =>
      world.faults.add({ match: { operation: 8 }, respond: { reset: true }, when: 'after', times: 1 }),
    play: expecting({ operation: 8 }, { next: { operation: 19 }, pause: 300 }),
    checks: [
      {
        name: 'does-not-book-twice',
        level: 'MUST',
        source: 'RFC 9110, section 9.2.2',
        rule: 'A booking whose answer was lost is not sent again blindly: POST is not idempotent.',
        advice: 'Look whether the ticket is there (19) before a second POST.',
        judge: (seen) => none(tickets(seen).slice(1), tickets(seen)),
      },
      {
        name: 'looks-after-lost-answer',
        level: 'SHOULD',
        source: 'RFC 9110, section 9.2.2',
        rule: 'After a lost answer the client looks what became of its request.',
        advice: 'List the tickets of the customer (19, bpNoList) after a connection that broke.',
        judge: (seen) => some(seen.requests(19, 20), tickets(seen)),
      },
    ],
  },
  {
    name: 'support-list',
    task: 'As the dealer VENDOR_CLOUD_DEALER read all tickets of your company (19), page by page.',
    prepare: async ({ world }) => {
      const { items } = await world.records.list('tickets', { companyId: 'C100', status: 'E0003', limit: 1 })
      const [ticket] = items as Record<string, unknown>[]
      for (let i = 0; i < TICKETS; i++) {
        const number = String(7_000_000_000 + i)
        await world.records.put('tickets', number, { ...ticket, srid: number, ticketNumber: String(8_000_000_000 + i) })
      }
    },
    play: expecting({ operation: 19 }, { next: { operation: 19 }, count: 3, pause: 200 }),
    checks: [
      {
        name: 'pages-to-the-end',
        level: 'MUST',
        source: 'document 1, section 4',
        rule: 'A list is read until nothing is left of it.',
        advice: 'Go on while hasMore is true, with offset moved by what came.',
        judge: (seen) => {
          const pages = seen.requests(19)
          const endOf = ({ query = '' }: JournalEntry) => {
            const given = new URLSearchParams(query)
            return Number(given.get('offset') ?? 0) + Number(given.get('limit') ?? 20)
          }
          return someOf(pages, (page) => endOf(page) >= TICKETS)
        },
      },
      {
        name: 'pages-once',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'No page is asked for twice.',
        advice: 'Keep what came, and ask for the next page only.',
        judge: (seen) =>
          noneOf(seen.requests(19), ({ query }, i, pages) => pages.slice(0, i).some((page) => page.query === query)),
      },
    ],
  },
  {
    name: 'support-nothing-there',
    task: 'Look up the in-store request with the srid 1234567890 (34), which does not exist, once.',
    play: expecting({ operation: 34 }, { pause: 300 }),
    checks: [
      {
        name: 'takes-no-content',
        level: 'MUST',
        source: 'document 1, section 7',
        rule: '204 means that no record matches: there is no body to read, and nothing to ask again.',
        advice: 'Look at the status before the body is parsed.',
        judge: (seen) => none(seen.requests(34).slice(1), seen.requests(34)),
      },
    ],
  },
  {
    name: 'support-images',
    task:
      'As a guest, attach pictures to the first open ticket of customer 1000000001 (26): you have one of 6 MB and ' +
      'five small ones. Send what the document allows.',
    play: expecting({ operation: 26 }, { next: { operation: 26 }, count: 4, pause: 300 }),
    checks: [
      {
        name: 'keeps-images-small',
        level: 'MUST',
        source: 'document 1, section 8',
        rule: 'Each image is smaller than 5 MB.',
        advice: 'Make larger pictures smaller before they are sent.',
        judge: (seen) =>
          noneOf(
            seen.requests(26),
            (entry) => entry.status === 413 || Number(header(entry, 'content-length')) > 5_300_000,
          ),
      },
      {
        name: 'sends-four-images',
        level: 'MUST',
        source: 'document 1, section 8',
        rule: 'A service request takes at most four images.',
        advice: 'Let people choose four.',
        judge: (seen) => none(seen.requests(26).slice(4), seen.requests(26)),
      },
    ],
  },
  ...[4, 22].map((operation): Chapter[number] => ({
    name: `support-feedback-${operation}`,
    task: `Save feedback with a rating and a comment (${operation}); the service is away for a moment.`,
    prepare: ({ world }) => world.faults.add({ match: { operation }, respond: { status: 503 }, times: 1 }),
    play: expecting({ operation }, { next: { operation, status: 200 } }),
    checks: [
      {
        name: `keeps-feedback-${operation}`,
        level: 'SHOULD',
        source: 'document 1, section 7',
        rule: 'Feedback that met 503 is sent again later, and not lost.',
        advice: 'Keep it, and try again after a pause.',
        judge: (seen) => someOf(seen.requests(operation), succeeded),
      },
    ],
  })),
  ...lookups,
  ...varied({
    document: 'support',
    kinds: [...kindsOf('json'), ...kindsOf('http')],
    task: book,
    play: (stage) => stage.need({ operation: 33 }),
    judge: (seen) => some(booked(seen), seen.requests()),
  }),
]
