import { expect, test } from 'vitest'
import { supportOperations } from '../../../src/contract/documents/support/operations.ts'
import type { Operation } from '../../../src/server/http/operations.ts'
import { toTemplate } from '../../../src/server/http/openapi/routes.ts'
import { scopes } from '../../../src/server/support/plugin.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { operationTable } from '../../helpers/operation-table.ts'

interface Described {
  'x-operation'?: number
  responses: Record<string, unknown>
}

const declared = Object.values(scopes).flatMap(({ operations }): readonly Operation<never>[] => operations)

/**
 * The scope of a path, by the start of the path. The first match applies. Source: document 1, section 4, and a choice
 * for guests.
 */
const scopesByPath = [
  ['/stg/us/instore/noauth/', 'anonymous'],
  ['/stg/us/guest/', 'guests'],
  ['/stg/us/cti/guest/', 'guests'],
  ['/stg/us/dealer/', 'dealers'],
  ['/stg/us/', 'users'],
] as const

test('the contract has each operation of the table exactly once, in the right scope', () => {
  const rows = operationTable.map(({ operation, method, path }) => {
    const [, scope] = scopesByPath.find(([start]) => path.startsWith(start))!
    return `${operation} ${method} ${path} ${scope}`
  })
  const own = Object.entries(supportOperations).map(
    ([number, { route, scope }]) => `${number} ${toTemplate(route)} ${scope}`,
  )
  expect(own).toEqual(rows)
})

test('the scopes of the server contain each operation of the contract exactly once', () => {
  const admitted = Object.entries(scopes).flatMap(([scope, { operations }]) =>
    operations.map(({ operation }) => `${operation} ${scope}`),
  )
  const own = Object.values(supportOperations).map(({ operation, scope }) => `${operation} ${scope}`)
  expect(admitted.toSorted()).toEqual(own.toSorted())
})

test('the server declares exactly the operations in the table', () => {
  const rows = operationTable.map(({ operation, method, path }) => `${operation} ${method} ${path}`)
  const own = declared.map(({ operation, route }) => `${operation} ${toTemplate(route)}`)
  expect(own.toSorted()).toEqual(rows.toSorted())
})

test('the OpenAPI file has exactly the documented statuses of each operation', async () => {
  const { app } = buildTestApp()
  const { paths } = (await app.inject('/openapi/support.json')).json() as {
    paths: Record<string, Record<string, Described>>
  }
  for (const { operation, method, path, also } of operationTable) {
    // In OpenAPI, a path parameter has only one name, so operation 14 is described with the parameter name of operation
    // 12.
    const described = (paths[path] ?? paths[path.replace('{id}', '{customerId}')])?.[method.toLowerCase()]
    const statuses = Object.keys(described?.responses ?? {}).map(Number)
    expect([operation, ...statuses.sort()]).toEqual(
      [operation, ...new Set([200, 400, 401, 403, 500, ...also])].sort((a, b) => a - b || 0),
    )
  }
})
