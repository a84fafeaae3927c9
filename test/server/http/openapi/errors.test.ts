import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { choiceSchemas } from '../../../../src/contract/records/control/choice-values.ts'
import { buildTestApp } from '../../../helpers/build-test-app.ts'
import { type Description, operationsOf, toRequest } from '../../../helpers/openapi-examples.ts'

const LARGE = JSON.stringify({ name: 'x'.repeat(1_100_000) })
const JSON_TYPE = { 'content-type': 'application/json' }

test.each(['events', 'control'])(
  '%s.yaml declares the status of each error that any request can cause',
  async (name) => {
    const { app } = buildTestApp()
    const description: Description = (await app.inject(`/openapi/${name}.json`)).json()
    const undeclared: string[] = []
    for (const { path, method, operation } of operationsOf(description)) {
      const { headers, ...example } = toRequest('', path, method, operation)
      const request: InjectOptions = { ...example, headers: { ...headers, authorization: 'Bearer token-home' } }
      const url = `${String(request.url)}${String(request.url).includes('?') ? '&' : '?'}unknown=1`
      const faulty: InjectOptions[] = [
        { ...request, url },
        { ...request, url: `${url}&__proto__=1` },
      ]
      if (name === 'control') faulty.push({ ...request, headers: { ...request.headers, 'x-world': 'nope' } })
      if (operation.requestBody) {
        faulty.push(
          { ...request, headers: { ...request.headers, ...JSON_TYPE }, payload: LARGE },
          { ...request, headers: { ...request.headers, 'content-encoding': 'gzip' }, payload: 'x' },
          { ...request, headers: { ...request.headers, ...JSON_TYPE }, payload: '{"name":' },
        )
      }
      for (const each of faulty) {
        const { statusCode } = await app.inject(each)
        if (!(statusCode in operation.responses)) undeclared.push(`${operation.operationId} ${statusCode}`)
      }
    }
    expect(undeclared).toEqual([])
  },
)

test('each error status of the event stream is declared with the schema ErrorBody', async () => {
  const { app } = buildTestApp()
  const { paths }: Description = (await app.inject('/openapi/events.json')).json()
  const { responses } = paths['/filters/{subscriptionId}/activate']!['get']!
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400)
  expect(statuses).toEqual(['400', '401', '403', '404', '409', '429', '500'])
  for (const status of statuses) {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } }
    expect(responses[status]!.content).toEqual(content)
  }
})

test('the description of updateSubscription has an example for its subscriptionId', async () => {
  const { app } = buildTestApp()
  const { paths }: Description = (await app.inject('/openapi/events.json')).json()
  const [id] = paths['/subscriptions/{subscriptionId}']!['put']!.parameters!
  expect(id).toMatchObject({ name: 'subscriptionId', example: expect.stringMatching(/^[\da-f-]{36}$/) })
})

test('control.yaml describes a profile as a built-in name or an object with choices and faults', async () => {
  const { app } = buildTestApp()
  const { paths, components }: Description = (await app.inject('/openapi/control.json')).json()
  expect(paths['/_control/profile']!['put']!.requestBody!.content['application/json']!.schema).toMatchObject({
    anyOf: [{ enum: ['strict', 'lenient', 'rough'] }, { $ref: '#/components/schemas/VendorProfile' }],
  })
  const { choices, faults } = (components.schemas['VendorProfile'] as { properties: Record<string, object> }).properties
  expect(choices).toMatchObject({ additionalProperties: false })
  expect(Object.keys((choices as { properties: object }).properties)).toEqual(Object.keys(choiceSchemas))
  expect(faults).toMatchObject({ maxItems: 100, items: { properties: { match: {}, respond: {} } } })
})
