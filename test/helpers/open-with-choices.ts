import type { FastifyInstance } from 'fastify'
import { asWeb, buildTestApp, type TestAppOptions } from './build-test-app.ts'

export async function openWithChoices(choices: Record<string, unknown>, options: TestAppOptions = {}) {
  const test = buildTestApp(options)
  await putChoices(test.app, choices)
  const get = (url: string, headers: Record<string, string> = asWeb('web-alice')) =>
    test.app.inject({ url: `/stg/us/${url}`, headers })
  return { ...test, get }
}

export async function putChoices(app: FastifyInstance, choices: Record<string, unknown>): Promise<void> {
  const reply = await app.inject({ method: 'PUT', url: '/_control/profile', payload: { profile: 'x', choices } })
  if (reply.statusCode !== 200) throw new Error(reply.body)
}

export const rejectUnusableValues = (app: FastifyInstance) => putChoices(app, { 'unusable-values': 'reject' })
