import { expect, test } from 'vitest'
import { collectRoutes } from '../../src/http/openapi/routes.ts'
import type { RouteDescription } from '../../src/http/openapi/operation.ts'
import { support } from '../../src/support/plugin.ts'
import { buildTestApp } from '../helpers/build-test-app.ts'
import { operationTable } from '../helpers/operation-table.ts'
import fastify from 'fastify'

interface Operation {
  'x-operation'?: number
  responses: Record<string, unknown>
}

/** Routes of document 1 as they are registered; HEAD and the form of a path without its optional parameter aside. */
async function registeredOperations(): Promise<RouteDescription[]> {
  const app = fastify()
  const routes = collectRoutes(app)
  app.decorateRequest('ports')
  app.decorateRequest('identity')
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(support)
  await app.ready()
  await app.close()
  return routes.filter(({ config }) => typeof config.operation === 'number')
}

test('the routes are operations 1 to 41, each once', async () => {
  const numbers = new Set((await registeredOperations()).map(({ config }) => Number(config.operation)))
  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1))
})

test('every row of the table has its route, and every route its row', async () => {
  const registered = (await registeredOperations()).map(
    ({ config, method, url }) => `${config.operation} ${method} ${url.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`,
  )
  const rows = operationTable.map(({ operation, method, path }) => `${operation} ${method} ${path}`)
  const optional = rows.map((row) => row.replace('/{deviceId}', ''))
  expect(rows.filter((row) => !registered.includes(row))).toEqual([])
  expect(registered.filter((route) => !rows.includes(route) && !optional.includes(route))).toEqual([])
})

test('every declared status stands in the OpenAPI file, and no other than these and 400 and 500', async () => {
  const { app } = buildTestApp()
  const { paths } = (await app.inject('/openapi/support.json')).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  for (const { operation, method, path, also } of operationTable) {
    // OpenAPI knows no two names for one path parameter: operation 14 stands at the path of operation 12.
    const described = (paths[path] ?? paths[path.replace('{id}', '{customerId}')])?.[method.toLowerCase()]
    const statuses = Object.keys(described?.responses ?? {}).map(Number)
    expect([operation, ...statuses.sort()]).toEqual(
      [operation, ...new Set([200, 400, 401, 403, 500, ...also])].sort((a, b) => a - b || 0),
    )
  }
})
