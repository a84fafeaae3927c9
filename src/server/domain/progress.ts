import type { CloseReason, Progress, TicketStatus } from '#contract/records/progress.ts'

type Description = Pick<Progress, 'statusDesc' | 'statusReasonDesc'>

type Descriptions = Readonly<Record<Exclude<TicketStatus, 'E0003'> | 'MISSED' | CloseReason, Description>>

const visits: Descriptions = {
  E0001: { statusDesc: 'Open: appointment requested' },
  MISSED: { statusDesc: 'Open: appointment missed' },
  E0002: { statusDesc: 'In process: appointment confirmed' },
  COMPLETED: { statusDesc: 'Closed: completed', statusReasonDesc: 'The service was completed' },
  CANCELLED: { statusDesc: 'Closed: cancelled', statusReasonDesc: 'The request was cancelled' },
  NO_SHOW: { statusDesc: 'Closed: no show', statusReasonDesc: 'The appointment was missed and not rescheduled' },
  CANCELLED_BY_VENDOR: { statusDesc: 'Closed: cancelled by the vendor', statusReasonDesc: 'The vendor cancelled it' },
}

/** Descriptions for disputes. NO_SHOW never applies, because a dispute has no appointment that could be missed. */
const disputes: Descriptions = {
  ...visits,
  E0001: { statusDesc: 'Open: dispute submitted' },
  E0002: { statusDesc: 'In process: dispute under review' },
  COMPLETED: { statusDesc: 'Closed: dispute settled', statusReasonDesc: 'The claimed purchase date was accepted' },
  CANCELLED: { statusDesc: 'Closed: dispute cancelled', statusReasonDesc: 'The dispute was withdrawn' },
}

export function describeStatus(serviceType: string | undefined, key: keyof Descriptions): Description {
  return (serviceType === 'DS' ? disputes : visits)[key]
}

export function openProgress(at: string, reason: string, serviceType?: string): Progress {
  return {
    status: 'E0001',
    ...describeStatus(serviceType, 'E0001'),
    history: [{ at, from: null, to: 'E0001', reason }],
  }
}

/** E0003, and no other status, requires a close reason. Throws for a closed request. */
export function moveTo(
  { serviceType, status: from, history }: Progress & { serviceType?: string | undefined },
  to: TicketStatus,
  at: string,
  reason: string,
  closeReason?: CloseReason,
): Progress {
  if (from === 'E0003') throw new Error('a closed request cannot change its status')
  const key = to === 'E0003' ? closeReason : to
  if (key === undefined || (to !== 'E0003' && closeReason)) throw new Error('a close reason is only valid with E0003')
  return {
    status: to,
    ...describeStatus(serviceType, key),
    ...(closeReason && { statusReasonCode: closeReason }),
    history: [...history, { at, from, to, reason }],
  }
}

export function isOpen({ status }: Pick<Progress, 'status'>): boolean {
  return status !== 'E0003'
}
