import { asWeb, buildTestApp, type TestAppOptions } from './build-test-app.ts'

export async function bend(choices: Record<string, unknown>, options: TestAppOptions = {}) {
  const test = buildTestApp(options)
  const reply = await test.app.inject({ method: 'PUT', url: '/_control/profile', payload: { profile: 'x', choices } })
  if (reply.statusCode !== 200) throw new Error(reply.body)
  const get = (url: string, headers: Record<string, string> = asWeb('web-alice')) =>
    test.app.inject({ url: `/stg/us/${url}`, headers })
  return { ...test, get }
}
