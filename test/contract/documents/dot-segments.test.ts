import { expect, test } from 'vitest'
import { findForbiddenWrite, readAllowedWrites } from '../../../src/contract/documents/allowed-writes.ts'
import { hasDotSegments, leadsAbove } from '../../../src/contract/documents/dot-segments.ts'

test.each([
  ['/a/../b', true, false],
  ['/./a', true, false],
  ['/a/..', true, false],
  ['/a/..;x=1/b', true, false],
  ['/..', true, true],
  ['/a/../../b', true, true],
  ['/a//../../b', true, true],
  ['/%2e%2E/b', true, true],
  ['/.%2e/b', true, true],
  ['/a%2f..%2F..%5cb', true, true],
  ['/..%255cb', true, true],
  ['/\\..\\b', true, true],
  ['/a/b?path=/../..', false, false],
  ['/a/..b/c../.d', false, false],
  ['/a/...', false, false],
])('for the path %s, hasDotSegments returns %s and leadsAbove returns %s', (path, hasDots, isAbove) => {
  expect([hasDotSegments(path), leadsAbove(path)]).toEqual([hasDots, isAbove])
})

test('an allowed write is forbidden if dot segments in its path could change the operation', () => {
  const call = { method: 'DELETE', headers: {}, path: '/subscriptions/x' }
  const allowed = readAllowedWrites('deleteSubscription')
  expect(findForbiddenWrite(call, allowed)).toBe(undefined)
  expect(findForbiddenWrite({ ...call, path: '/subscriptions/..' }, allowed)).toBe('DELETE /subscriptions/..')
})
