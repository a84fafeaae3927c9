import type { VendorChange } from './changed-server.ts'

type Item = Record<string, unknown>
type Items = { items?: Item[] }

function eachItem(body: Item, change: (item: Item) => unknown): void {
  for (const item of (body as Items).items ?? []) change(item)
}

/**
 * Changes to a copy of vendor-cloud. Each is listed with the exact differences that it causes and the choice that
 * explains each difference.
 */
export const vendorChanges: Readonly<Record<string, { vendor: VendorChange; shows: readonly string[] }>> = {
  'no change': { vendor: {}, shows: [] },
  'a clock that is 90 s ahead': { vendor: { aheadMs: 90_000 }, shows: [] },
  'gzip compression': { vendor: { wire: 'gzip' }, shows: [] },
  'chunked responses': { vendor: { wire: 'chunked' }, shows: [] },
  'connections that close after each response': { vendor: { wire: 'close' }, shows: [] },
  'zip codes of nine digits accepted in operation 30': {
    vendor: { choices: { 'zip-plus-four': 'accepted' } },
    shows: ['30 status status: choice: zip-plus-four'],
  },
  'status 201 for created records': {
    vendor: { choices: { 'created-status': 201 } },
    shows: [
      '22 status status: choice: created-status',
      '3 status status: choice: created-status',
      '8 status status: choice: created-status',
    ],
  },
  'pages of seven items': {
    vendor: { choices: { 'page-size': 7 } },
    shows: ['19 missing body.items[]: choice: page-size', '19 value body.limit: choice: page-size'],
  },
  'errors as problem documents': {
    vendor: { choices: { 'error-shape': 'problem' } },
    shows: [
      ...['19', '30', '34', 'getSubscription'].flatMap((operation) => [
        ...['detail', 'status', 'title', 'type'].map(
          (name) => `${operation} further body.${name}: choice: error-shape`,
        ),
        ...['error', 'requestId'].map((name) => `${operation} missing body.${name}: choice: error-shape`),
        `${operation} header headers.content-type: choice: error-shape`,
      ]),
      ...['19', '30', '34'].map((operation) => `${operation} further body.errors: choice: error-shape`),
    ],
  },
  'a missing field': {
    vendor: { path: /guest\/zipCode/, change: ({ body }) => delete body['county'] },
    shows: ['30 missing body.county: unexplained'],
  },
  'an additional field': {
    vendor: { path: /guest\/zipCode/, change: ({ body }) => (body['channel'] = 'WEB') },
    shows: ['30 further body.channel: unexplained'],
  },
  'a field of another type': {
    vendor: {
      path: /dealer\/stores/,
      change: ({ body }) => eachItem(body, (each) => (each['lat'] = String(each['lat']))),
    },
    shows: ['17 type body.items[].lat: unexplained'],
  },
  'a field with another value': {
    vendor: { path: /checkmobile/, change: ({ body }) => (body['exist'] = false) },
    shows: ['32 value body.exist: unexplained'],
  },
  'a list in another order': {
    vendor: { path: /dealer\/stores/, change: ({ body }) => (body['items'] = (body as Items).items!.toReversed()) },
    shows: ['17 order body.items: unexplained'],
  },
  'another status': {
    vendor: { path: /contact\/reason/, change: (reply) => (reply.status = 202) },
    shows: ['1 status status: unexplained'],
  },
  'another error code': {
    vendor: {
      path: /zipCode=00000/,
      change: ({ body }) => (Object(body['error'])['code'] = 'Gone'),
    },
    shows: ['30 error body.error.code: unexplained'],
  },
  'a missing slot': {
    vendor: {
      path: /guest\/schedule/,
      change: ({ body }) => (body['schedules'] as { slots: unknown[] }[])[4]!.slots.shift(),
    },
    shows: ['25 missing body.schedules[].slots[]: unexplained'],
  },
  'a missing header': {
    vendor: { path: /dealer\/customers\?/, change: ({ headers }) => delete headers['x-total-count'] },
    shows: ['6 header headers.x-total-count: unexplained'],
  },
  'another media type': {
    vendor: { path: /wallet/, change: ({ headers }) => (headers['content-type'] = 'text/plain') },
    shows: ['checkAvailability header headers.content-type: unexplained'],
  },
  'a missing SOAP element': {
    vendor: {
      path: /RTCService/,
      change: (reply) => (reply.text = reply.text.replace(/<latestOrderId>.*?<\/latestOrderId>/, '')),
    },
    shows: ['getSubscriptionStatus missing body.getSubscriptionStatusResponse.output.latestOrderId: unexplained'],
  },
  'a response that never arrives': {
    vendor: { path: /noauth\/nearest/, wire: 'reset' },
    shows: ['36 error reply: unexplained'],
  },
  'a truncated response': {
    vendor: { path: /noauth\/taxonomy/, wire: 'cut' },
    shows: ['39 error reply: unexplained'],
  },
}
