import { expect, test } from 'vitest'
import { preferredType } from '../../../src/http/input/accept.ts'

const types = ['application/json', 'text/plain', 'text/html'] as const

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html, */*', 'application/json'],
  ['text/html, */*;q=0.9', 'text/html'],
  ['text/plain;q=0.5, text/html;q=0.6', 'text/html'],
  ['TEXT/HTML', 'text/html'],
  ['text/*', 'text/plain'],
  ['text/*, text/plain;q=0.1', 'text/html'],
  ['application/json;q=0, text/plain', 'text/plain'],
  ['text/plain;q=0', 'application/json'],
  ['text/plain;q=x', 'application/json'],
  ['image/png', 'application/json'],
])('Accept %j prefers %s', (accept, type) => {
  expect(preferredType(accept, types)).toBe(type)
})
