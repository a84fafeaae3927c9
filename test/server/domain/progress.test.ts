import { describe, expect, it } from 'vitest'
import { isOpen, moveTo, openProgress } from '../../../src/server/domain/progress.ts'
import { progress } from '../../../src/contract/records/progress.ts'

const OPENED = '2026-05-06T16:00:00.000Z'
const MOVED = '2026-05-07T16:00:00.000Z'

describe('the progress of a request', () => {
  it('a new request is open and has no close reason', () => {
    const opened = openProgress(OPENED, 'created')
    expect(progress.parse(opened)).toEqual({
      status: 'E0001',
      statusDesc: 'Open: appointment requested',
      history: [{ at: OPENED, from: null, to: 'E0001', reason: 'created' }],
    })
    expect(isOpen(opened)).toBe(true)
  })

  it('every status change of a request is recorded with its timestamp and reason', () => {
    const confirmed = moveTo(openProgress(OPENED, 'created'), 'E0002', MOVED, 'confirmed')
    expect(confirmed).toMatchObject({ status: 'E0002', statusDesc: 'In process: appointment confirmed' })
    expect(confirmed.history.at(-1)).toEqual({ at: MOVED, from: 'E0001', to: 'E0002', reason: 'confirmed' })
    expect(confirmed.history).toHaveLength(2)
  })

  it('a closed request has its close reason and is no longer open', () => {
    const closed = moveTo(openProgress(OPENED, 'created'), 'E0003', MOVED, 'cancelled', 'CANCELLED')
    expect(closed).toMatchObject({ status: 'E0003', statusReasonCode: 'CANCELLED' })
    expect(closed.statusReasonDesc).toBe('The request was cancelled')
    expect(isOpen(closed)).toBe(false)
  })

  it('closing a request requires a close reason, and a closed request keeps its status', () => {
    const closed = moveTo(openProgress(OPENED, 'created'), 'E0003', MOVED, 'completed', 'COMPLETED')
    expect(() => moveTo(closed, 'E0001', MOVED, 'again')).toThrow('cannot change its status')
    expect(() => moveTo(openProgress(OPENED, 'created'), 'E0003', MOVED, 'closed')).toThrow('close reason')
  })
})
