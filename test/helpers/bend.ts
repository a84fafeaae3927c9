import { expect } from 'vitest'
import { buildTestApp, type TestApp } from './build-test-app.ts'

/** A server whose world has a profile with these choices. */
export async function bend(choices: Record<string, unknown>): Promise<TestApp> {
  const test = buildTestApp()
  const payload = { profile: 'bent', choices }
  const reply = await test.app.inject({ method: 'PUT', url: '/_control/profile', payload })
  expect(reply.json()).toEqual(payload)
  return test
}
