import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../../src/server/adapters/memory/store.ts'
import { OutOfSpace, Unavailable } from '../../../src/server/ports/failures.ts'
import { buildApp } from '../../../src/server/app.ts'
import { asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { START } from '../../helpers/test-ports.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'

const whole = {
  rating: 2,
  comment: 'The dishwasher still leaks.',
  category: 'SERVICE',
  srid: '4100000017',
  ticketNumber: '7200000017',
  modelCode: 'VM-DW40',
  email: 'pat@example.com',
  pageUrl: 'https://www.example.com/support?step=2',
  contactAllowed: true,
}

describe.each([
  [4, '/stg/us/customerFeedback', asWeb('web-alice'), { userId: 'profile:web-alice' }],
  [22, '/stg/us/guest/customerFeedback', asGuest(), {}],
] as const)('operation %i', (_, url, headers, user) => {
  const build = () => {
    const test = buildTestApp()
    const send = (payload?: object) => test.app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
    return { ...test, send }
  }

  test('returns 200 and stores the feedback with its sender and time', async () => {
    const { send, store } = build()
    const reply = await send({ ...whole, comment: '  The dishwasher still leaks.\n', feedbackId: 'mine', userId: 'x' })
    expect(reply.statusCode).toBe(200)
    const { feedbackId } = reply.json()
    expect(reply.json()).toEqual({ feedbackId: expect.stringMatching(/^FB-/), received: true })
    const comment = '  The dishwasher still leaks.\n'
    const record = { ...whole, comment, ...user, feedbackId, requestSource: 'vendor.com', createdAt: START }
    expect(await store.feedback.get(feedbackId)).toEqual(record)
  })

  test('returns 200 with only the required fields, and empty optional fields count as absent', async () => {
    const { send } = build()
    expect((await send({ rating: 1, comment: ` ${'x'.repeat(2000)} `, email: '', category: null })).statusCode).toBe(
      200,
    )
  })

  test('returns 400 "invalid customer feedback" for a missing body', async () => {
    const { send } = build()
    const reply = await send()
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.message).toBe('invalid customer feedback')
    expect(findingsOf(reply)).toEqual(['MissingParameter body'])
  })

  test('returns 400 with every error in the feedback and stores nothing', async () => {
    const { send, store } = build()
    const reply = await send({ rating: 6, comment: '   ', srid: '123', email: 'pat', contactAllowed: 'yes' })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.message).toBe('invalid customer feedback')
    expect(findingsOf(reply)).toEqual([
      'InvalidParameter body.rating',
      'MissingParameter body.comment',
      'InvalidParameter body.srid',
      'InvalidParameter body.email',
      'InvalidParameter body.contactAllowed',
    ])
    expect(await store.feedback.count()).toBe(0)
  })

  test.each([
    ['a rating that is not a whole number', { rating: 4.5 }],
    ['a rating given as a string', { rating: '4' }],
    ['a rating of 0', { rating: 0 }],
    ['a comment over 2000 characters', { comment: 'x'.repeat(2001) }],
  ])('returns 400 for %s', async (_, wrong) => {
    const { send } = build()
    expect((await send({ rating: 3, comment: 'Fine', ...wrong })).statusCode).toBe(400)
  })

  test.each([
    [new Unavailable('the disk is gone'), 'the server cannot reach its store'],
    [new OutOfSpace('the disk is full'), 'the disk is full. Reads work, writes are rejected'],
  ])('returns 503 if the store rejects writes: %s', async (failure, message) => {
    const ports = buildTestApp()
    const store = createMemoryStore({
      records: new Map(),
      persist: async () => {
        throw failure
      },
    })
    const app = buildApp({ worlds: { find: () => ({ ...ports, store }) } as unknown as typeof ports.worlds })
    const reply = await app.inject({ method: 'POST', url, headers, payload: { rating: 3, comment: 'Fine' } })
    await app.close()
    expect(reply.statusCode).toBe(503)
    expect(reply.json().error).toMatchObject({ code: 'ServiceUnavailableError', message })
  })
})
