import {
  type CloseReason,
  closeReasonDescriptions,
  describeStatus,
  type Progress,
  statusDescriptions,
  type TicketStatus,
} from '../schemas/dealer/service-request.ts'

/** How a new request stands, a dealer's ticket or one in store: open. `at` is an ISO 8601 instant. */
export function openProgress(at: string, reason: string): Progress {
  return {
    status: 'E0001',
    statusDesc: statusDescriptions.E0001,
    history: [{ at, from: null, to: 'E0001', reason }],
  }
}

/**
 * The progress fields after a move, to be spread over the record; a close reason comes with E0003 and only with it.
 * Whether the move is allowed is the caller's rule: E0003 is final (our choice), and moving there is a defect.
 */
export function moveTo(
  { status: from, history }: Progress,
  to: TicketStatus,
  at: string,
  reason: string,
  closeReason?: CloseReason,
): Progress {
  if (from === 'E0003') throw new Error('a closed request does not move')
  if ((to === 'E0003') !== (closeReason !== undefined)) throw new Error('a close reason belongs to E0003')
  return {
    status: to,
    statusDesc: describeStatus(to, closeReason),
    ...(closeReason && { statusReasonCode: closeReason, statusReasonDesc: closeReasonDescriptions[closeReason] }),
    history: [...history, { at, from, to, reason }],
  }
}

/** E0001 or E0002: it may still be confirmed, rescheduled or cancelled. */
export function isOpen({ status }: Pick<Progress, 'status'>): boolean {
  return status !== 'E0003'
}
