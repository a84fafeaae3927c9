import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { asWeb, buildTestApp } from '../build-test-app.ts'
import { putTestDealers } from '../records.ts'

/** The companies of these dealers do not exist in the fixtures, so their lists contain only the records of a test. */
export const asTess = () => asWeb('dealer-tess')
export const asToby = () => asWeb('dealer-toby')

type Headers = Record<string, string>

/** By default, requests are sent as the dealer Tess. */
export async function openDealerPortal() {
  const test = buildTestApp()
  await putTestDealers(test.store)
  return { ...test, ...callsOf(test.app) }
}

export function callsOf(app: FastifyInstance) {
  const call = (method: 'GET' | 'POST', path: string, headers: Headers, payload?: object) =>
    app.inject({ method, url: `/stg/us/dealer${path}`, headers, ...(payload && { payload }) })
  return {
    get: (path: string, headers: Headers = asTess()) => call('GET', path, headers),
    post: (path: string, payload?: object, headers: Headers = asTess()) => call('POST', path, headers, payload),
  }
}

export function findingsOf(reply: LightMyRequestResponse): string[] {
  const { details } = reply.json<{ error: { details: { code: string; target: string }[] } }>().error
  return details.map(({ code, target }) => `${code} ${target}`)
}

export function expectSameRefusal(status: number, one: LightMyRequestResponse, other: LightMyRequestResponse): void {
  expect([one.statusCode, other.statusCode]).toEqual([status, status])
  expect(withoutRequestId(one)).toBe(withoutRequestId(other))
}

function withoutRequestId(reply: LightMyRequestResponse): string {
  return reply.body.replace(reply.json<{ requestId: string }>().requestId, '')
}
