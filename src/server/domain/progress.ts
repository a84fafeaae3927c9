import type { CloseReason, Progress, TicketStatus } from '#contract/records/progress.ts'

type Description = Pick<Progress, 'statusDesc' | 'statusReasonDesc'>

type Descriptions = Readonly<Record<Exclude<TicketStatus, 'E0003'> | 'MISSED' | CloseReason, Description>>

const visits: Descriptions = {
  E0001: { statusDesc: 'Open: appointment requested' },
  MISSED: { statusDesc: 'Open: appointment missed' },
  E0002: { statusDesc: 'In process: appointment confirmed' },
  COMPLETED: { statusDesc: 'Closed: completed', statusReasonDesc: 'The service was completed' },
  CANCELLED: { statusDesc: 'Closed: cancelled', statusReasonDesc: 'The request was cancelled' },
  NO_SHOW: { statusDesc: 'Closed: no show', statusReasonDesc: 'The appointment was missed, and no other was made' },
  CANCELLED_BY_VENDOR: { statusDesc: 'Closed: cancelled by the vendor', statusReasonDesc: 'The vendor cancelled it' },
}

/** A dispute has no appointment to miss. */
const disputes: Descriptions = {
  ...visits,
  E0001: { statusDesc: 'Open: dispute submitted' },
  E0002: { statusDesc: 'In process: dispute under review' },
  COMPLETED: { statusDesc: 'Closed: dispute settled', statusReasonDesc: 'The claimed purchase date was accepted' },
  CANCELLED: { statusDesc: 'Closed: dispute cancelled', statusReasonDesc: 'The dispute was withdrawn' },
}

/** The text of a closed request says why it was closed. */
export function describeStatus(serviceType: string | undefined, key: keyof Descriptions): Description {
  return (serviceType === 'DS' ? disputes : visits)[key]
}

/** A new request is open; `at` is an ISO 8601 instant. */
export function openProgress(at: string, reason: string, serviceType?: string): Progress {
  return {
    status: 'E0001',
    ...describeStatus(serviceType, 'E0001'),
    history: [{ at, from: null, to: 'E0001', reason }],
  }
}

/**
 * The progress fields after a move, to be spread over the record; a close reason comes with E0003 and only with it.
 * Whether the move is allowed is the caller's rule: E0003 is final (our choice), and moving there is a defect.
 */
export function moveTo(
  { serviceType, status: from, history }: Progress & { serviceType?: string | undefined },
  to: TicketStatus,
  at: string,
  reason: string,
  closeReason?: CloseReason,
): Progress {
  if (from === 'E0003') throw new Error('a closed request does not move')
  const key = to === 'E0003' ? closeReason : to
  if (key === undefined || (to !== 'E0003' && closeReason)) throw new Error('a close reason belongs to E0003')
  return {
    status: to,
    ...describeStatus(serviceType, key),
    ...(closeReason && { statusReasonCode: closeReason }),
    history: [...history, { at, from, to, reason }],
  }
}

/** An open request, E0001 or E0002, may be confirmed, rescheduled or cancelled. */
export function isOpen({ status }: Pick<Progress, 'status'>): boolean {
  return status !== 'E0003'
}
