// @ts-check

import { expect } from 'vitest'
import { test } from 'vendor-cloud/vitest'
import { lookUpCity } from './zip-codes.js'

test('lookUpCity returns the city', async ({ world }) => {
  expect(await lookUpCity(world.url, '07660')).toBe('Ridgefield Park')
})

test('lookUpCity reports an invalid zip code', async ({ world }) => {
  await expect(lookUpCity(world.url, '7660')).rejects.toThrow('zipCode')
})

test('lookUpCity repeats the request after a 503', async ({ world }) => {
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  expect(await lookUpCity(world.url, '07660')).toBe('Ridgefield Park')
  await world.expectRequests({ operation: 30 }, { count: 2 })
})

test('lookUpCity reports the status and the body of an HTML error', async ({ world }) => {
  const respond = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }
  await world.faults.add({ match: { operation: 30 }, respond })
  await expect(lookUpCity(world.url, '07660')).rejects.toThrow('status 502: <h1>Bad Gateway</h1>')
})
