import type { JournalEntry } from '#tools/client/types.ts'
import { type Chapter, header, none, noneOf, some, someOf } from '../check.ts'
import type { Transcript } from '../transcript.ts'
import { expecting, type Session } from '../session.ts'
import { RULES, succeeded } from './support-always.ts'
import { streamFaults } from './support-faults.ts'
import { lookups } from './support-lookups.ts'
import { kindsOf, varied } from './variation.ts'

const phone = 'a phone VM-S100 near the zip code 07660'
const book =
  `Book a walk-in visit for ${phone}: find the center (operation 36) and its slots (operation 37), book one ` +
  '(operation 33), look at it (operation 34).'
const bookings = (transcript: Transcript) => transcript.requests(33)
const booked = (transcript: Transcript) => bookings(transcript).filter(succeeded)

/** A list with this many rows ends with a full page for almost every page size. */
const FULL_PAGES = 100
/** Number of rows on a page if the request contains no limit (rule `page-size`). */
const DEFAULT_LIMIT = 20
/** Maximum delay of the first page in milliseconds. During this delay, rows can be added. */
const FIRST_PAGE = 60_000

const tickets = (transcript: Transcript) => transcript.requests(8)

function limitOf({ query = '' }: JournalEntry): number | undefined {
  const limit = Number(new URLSearchParams(query).get('limit') || DEFAULT_LIMIT)
  return limit >= 1 && limit <= FULL_PAGES ? limit : undefined
}

function endOf(page: JournalEntry): number {
  const limit = succeeded(page) || page.status === undefined ? limitOf(page) : undefined
  return limit === undefined ? 0 : Number(new URLSearchParams(page.query ?? '').get('offset') ?? 0) + limit
}

const rowsOf = (counts: ReadonlyMap<string, number>) => counts.get('rows')!

/** Adds tickets, which appear at the start of lists. Does not change the count `first`. */
async function addTickets({ world, counts }: Session, more: number): Promise<void> {
  const filter = { companyId: 'C100', status: 'E0003', limit: 1 }
  const [ticket] = (await world.records.list('tickets', filter)).items as Record<string, unknown>[]
  const { now: createdAt } = await world.clock.read()
  const rows = rowsOf(counts)
  for (let i = rows; i < rows + more; i++) {
    const own = { srid: String(7_000_000_000 + i), ticketNumber: String(8_000_000_000 + i), createdAt }
    await world.records.put('tickets', own.srid, { ...ticket, ...own })
  }
  counts.set('rows', rows + more)
}

/** Resolves when the client has requested the end of the list, or sends no more requests. */
async function readOn(session: Session): Promise<void> {
  for (let count = 2; ; count++) {
    const pages = await session.world.journal({ operation: 19, limit: 1 })
    if (pages[0] && endOf(pages[0]) >= rowsOf(session.counts)) break
    if (!(await session.may({ operation: 19 }, { count }))) break
  }
  await session.pause(200)
}

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
        rule: 'The client books a slot that is free.',
        advice: 'Read `why` in the journal entry of the rejected request.',
        evaluate: (transcript) => some(booked(transcript), transcript.requests()),
      },
      {
        name: 'asks-for-slots',
        level: 'SHOULD',
        source: 'document 1, section 4, rule 4',
        rule: 'The client requests free slots (operation 37) before it books one (operation 33).',
        advice: 'Book a slot that operation 37 has just returned.',
        evaluate: (transcript) => {
          const [first] = bookings(transcript)
          return some(
            transcript.requests(37).filter(({ id }) => first && id < first.id),
            bookings(transcript),
          )
        },
      },
      {
        name: 'books-once',
        level: 'MUST',
        source: 'document 1, section 4, rule 2',
        rule: 'The client books a visit only once.',
        advice: 'Do not send operation 33 again after its response.',
        evaluate: (transcript) => none(bookings(transcript).slice(1), bookings(transcript)),
      },
    ],
  },
  {
    name: 'support-book-without-mobile',
    task: `${book} The user has no mobile number: check with operation 32, and send a number.`,
    environment: { VENDOR_CLOUD_PROF_ID: 'web-bob' },
    play: (session) => session.need({ operation: 33 }),
    checks: [
      {
        name: 'gives-mobile-number',
        level: 'MUST',
        source: 'document 1, section 4, rule 2',
        rule: 'mobilePhone is sent when operation 32 reports no mobile number.',
        advice: 'Call operation 32, and add mobilePhone to the body of operation 33 when `exist` is false.',
        evaluate: (transcript) =>
          noneOf(
            bookings(transcript),
            ({ request }) => !(request?.body as { mobilePhone?: string } | undefined)?.mobilePhone,
          ),
      },
    ],
  },
  {
    name: 'support-book-taken',
    task: `${book} Another client books your slot first: choose another slot.`,
    // Matching by body ensures that the body is read and stored in the journal.
    fault: {
      match: { operation: 33, body: { ascType: 'WALKIN' } },
      respond: { status: 400, code: 'SlotUnavailable' },
      times: 1,
    },
    play: expecting({ operation: 33 }, { next: { operation: 33, status: 200 } }),
    checks: [
      {
        name: 'takes-another-slot',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'After SlotUnavailable the client chooses another slot.',
        advice:
          'Request the slots again (operation 37) and book another date or time. The same slot will not become free.',
        isDisplayed: (transcript) =>
          bookings(transcript).some(({ response }) => JSON.stringify(response?.body)?.includes('SlotUnavailable')),
        evaluate: (transcript) => {
          const [first, ...later] = bookings(transcript)
          const slotOf = ({ request }: JournalEntry) => {
            const { appointmentDate, startTime } = (request?.body ?? {}) as Record<string, unknown>
            return `${appointmentDate} ${startTime}`
          }
          return first
            ? some(
                later.filter((each) => succeeded(each) && slotOf(each) !== slotOf(first)),
                bookings(transcript),
              )
            : 'not covered'
        },
      },
    ],
  },
  {
    name: 'support-ticket-lost',
    task:
      'As the dealer VENDOR_CLOUD_DEALER open a ticket (operation 8) for customer 1000000001, product VM-TV55 ' +
      'with serial number 0TV55XYZ12A, in a slot of operation 16. The response may be lost: check (operation 19) ' +
      'before you retry.',
    fault: { match: { operation: 8 }, respond: { reset: true }, when: 'after', times: 1 },
    play: expecting({ operation: 8 }, { next: { operation: 19 }, pause: 300 }),
    checks: [
      {
        name: 'does-not-book-twice',
        level: 'MUST',
        source: 'RFC 9110, section 9.2.2',
        rule:
          'After a booking whose response was lost, the client does not simply book again, because POST is not ' +
          'idempotent.',
        advice: 'Check whether the ticket exists (operation 19) before a second POST.',
        evaluate: (transcript) => none(tickets(transcript).slice(1), tickets(transcript)),
      },
      {
        name: 'looks-after-lost-answer',
        level: 'SHOULD',
        source: 'RFC 9110, section 9.2.2',
        rule: 'After a lost response the client checks what happened to its request.',
        advice: 'List the tickets of the customer (operation 19 with bpNoList) after a broken connection.',
        evaluate: (transcript) => {
          const [lost] = tickets(transcript)
          return some(
            transcript.requests(19, 20).filter(({ id }) => lost && id > lost.id),
            tickets(transcript),
          )
        },
      },
    ],
  },
  {
    name: 'support-list',
    task:
      'As the dealer VENDOR_CLOUD_DEALER read all tickets of your company (operation 19), page by page. Others ' +
      'may be added meanwhile.',
    prepare: async (session) => {
      const { world, counts } = session
      const { totalCount } = await world.records.list('tickets', { companyId: 'C100', limit: 1 })
      counts.set('rows', totalCount)
      await addTickets(session, FULL_PAGES - (totalCount % FULL_PAGES))
      counts.set('first', rowsOf(counts))
      await world.faults.add({ match: { operation: 19 }, when: 'after', delayMs: FIRST_PAGE, times: 1 })
    },
    play: async (session) => {
      const first = await session.came(19)
      const limit = first && limitOf(first)
      // Adds enough rows that the list needs one more page than a client calculated at the start.
      if (limit) await addTickets(session, ((limit - (rowsOf(session.counts) % limit)) % limit) + 1)
      await session.mark('more')
      await session.world.faults.clear()
      await session.need({ operation: 19 })
      await readOn(session)
    },
    checks: [
      {
        name: 'pages-to-the-end',
        level: 'MUST',
        source: 'document 1, section 4',
        rule: 'The client reads a list to its end.',
        advice: 'Continue while hasMore is true, with offset increased by the received rows.',
        evaluate: (transcript) =>
          someOf(transcript.requests(19), (page) => endOf(page) >= transcript.counts.get('first')!),
      },
      {
        name: 'reads-what-comes-in',
        level: 'MUST',
        source: 'document 1, section 4',
        rule: 'Rows that are added while a list is read shift the other rows. The client does not stop early.',
        advice: 'Read hasMore on every page. Do not rely on the totalCount of the first page.',
        evaluate: (transcript) => {
          const pages = transcript.after('more').requests(19)
          // A separate check covers clients that stop earlier.
          if (!pages.some((page) => endOf(page) >= transcript.counts.get('first')!)) return 'not covered'
          return someOf(pages, (page) => endOf(page) >= rowsOf(transcript.counts))
        },
      },
      {
        name: 'pages-once',
        level: 'SHOULD',
        source: 'our choice',
        rule: 'The client requests no page twice.',
        advice: 'Keep the received rows, and request only the next page.',
        // A client that noticed new rows may read the list again once.
        evaluate: (transcript) =>
          noneOf(transcript.requests(19), ({ query }, i, pages) => {
            const earlier = pages.slice(0, i).filter((page) => page.query === query)
            return earlier.length > 1 || (i > 0 && pages[i - 1]!.query === query)
          }),
      },
    ],
  },
  {
    name: 'support-nothing-there',
    task: 'Look up the in-store request with the srid 1234567890 (operation 34), which does not exist, once.',
    play: expecting({ operation: 34 }, { pause: 300 }),
    checks: [
      {
        name: 'takes-no-content',
        level: 'MUST',
        source: 'document 1, section 7',
        rule: '204 means that no record matches: there is no body to read and no reason to retry.',
        advice: 'Check the status before you parse the body.',
        evaluate: (transcript) => none(transcript.requests(34).slice(1), transcript.requests(34)),
      },
    ],
  },
  {
    name: 'support-images',
    task:
      'As a guest, attach pictures to the first open ticket of customer 1000000001 (operation 26). You have one ' +
      'of 6 MB and five small ones. Send as many as the document allows.',
    play: expecting({ operation: 26 }, { next: { operation: 26 }, count: 4, pause: 300 }),
    checks: [
      {
        name: 'keeps-images-small',
        level: 'MUST',
        source: 'document 1, section 8',
        rule: 'Each image is smaller than 5 MB.',
        advice: 'Reduce the size of larger pictures before you send them.',
        evaluate: (transcript) =>
          noneOf(
            transcript.requests(26),
            (entry) => entry.status === 413 || Number(header(entry, 'content-length')) > 5_300_000,
          ),
      },
      {
        name: 'sends-four-images',
        level: 'MUST',
        source: 'document 1, section 8',
        rule: 'A service request has at most four images.',
        advice: 'Let users select at most four images.',
        evaluate: (transcript) => none(transcript.requests(26).slice(4), transcript.requests(26)),
      },
    ],
  },
  {
    name: 'support-image-lost',
    task:
      'As a guest, attach one small picture to the first open ticket of customer 1000000001 (operation 26). The ' +
      'response may be lost: check its images (operation 20) before you retry.',
    fault: { match: { operation: 26 }, respond: { reset: true }, when: 'after', times: 1 },
    play: expecting({ operation: 26 }, { pause: 1500 }),
    checks: [
      {
        name: 'looks-before-an-image-again',
        level: 'SHOULD',
        source: 'RFC 9110, section 9.2.2',
        rule:
          'After an upload whose response was lost, the client does not simply upload the image again, because POST ' +
          'is not idempotent.',
        advice: 'Check whether the ticket has the image (operation 19, 20 or 34) before a second POST.',
        evaluate: (transcript) => {
          const [lost, again] = transcript.requests(26)
          if (!lost) return 'not covered'
          const isLook = ({ id }: JournalEntry) => again !== undefined && id > lost.id && id < again.id
          return !again || transcript.requests(19, 20, 34).some(isLook) ? 'passed' : [lost, again]
        },
      },
    ],
  },
  ...[4, 22].map((operation): Chapter[number] => ({
    name: `support-feedback-${operation}`,
    task: `Save feedback with a rating and a comment (${operation}). The service is unavailable for a moment.`,
    fault: { match: { operation }, respond: { status: 503 }, times: 1 },
    play: expecting({ operation }, { next: { operation, status: 200 } }),
    checks: [
      {
        name: `keeps-feedback-${operation}`,
        level: 'SHOULD',
        source: 'document 1, section 7',
        rule: 'Feedback that was rejected with 503 is not lost: the client sends it again later.',
        advice: 'Store the feedback, and retry after a pause.',
        evaluate: (transcript) => someOf(transcript.requests(operation), ({ faults }) => !faults),
      },
    ],
  })),
  ...lookups,
  ...streamFaults(book),
  ...varied({
    document: 'support',
    kinds: [...kindsOf('json'), ...kindsOf('http')],
    task: book,
    play: (session) => session.need({ operation: 33, status: 200 }),
    evaluate: (transcript) => some(booked(transcript), transcript.requests()),
  }),
  ...varied({
    document: 'support',
    // These kinds of variation affect only the response to the booking.
    kinds: ['json-null', 'json-enum', 'http-created'],
    task: book,
    play: expecting({ operation: 33, status: 200 }, { next: { operation: 34 } }),
    evaluate: (transcript) => some(transcript.requests(34), booked(transcript)),
  }),
]
