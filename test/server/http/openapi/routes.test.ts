import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeWsdl } from '../../../../src/server/billing/wsdl.ts'
import { apis } from '../../../../src/server/http/openapi/apis.ts'
import { buildTestApp } from '../../../helpers/build-test-app.ts'
import { operationTable } from '../../../helpers/operation-table.ts'

const committed = (file: string) => readFileSync(join(import.meta.dirname, '../../../../openapi', file), 'utf8')

test.each([...Object.keys(apis), 'billing'])(
  'openapi/%s.yaml matches what the routes generate (otherwise run `npm run openapi`)',
  async (name) => {
    const { app } = buildTestApp()
    const served = (await app.inject(`/openapi/${name}.json`)).json()
    expect(served).toEqual(parse(committed(`${name}.yaml`)))
  },
)

test('openapi/billing.wsdl matches the WSDL that the server writes', () => {
  expect(committed('billing.wsdl')).toBe(writeWsdl('http://localhost:8080/iap/ws/RTCService'))
})

test('every operation of document 1 has an example of its response', async () => {
  const { app } = buildTestApp()
  const { paths } = (await app.inject('/openapi/support.json')).json() as {
    paths: Record<string, Record<string, Described>>
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const without = operations.filter(
    ({ responses }) => !Object.values(responses['200']?.content ?? {}).some(({ example }) => example),
  )
  expect(without.map((operation) => operation['x-operation'])).toEqual([])
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operationTable.length)
})

interface Described {
  operationId: string
  'x-operation': number
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
}
