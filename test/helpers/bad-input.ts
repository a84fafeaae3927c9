import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { parse } from 'yaml'
import { asErin } from './build-test-app.ts'
import { type OperationRow, operationTable } from './operation-table.ts'

const headers = { ...asErin(), 'content-type': 'application/json' }
interface Documented {
  parameters: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Schema {
  $ref?: string
  properties?: object
}
const document = parse(readFileSync(join(import.meta.dirname, '../../openapi/support.yaml'), 'utf8')) as {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, Schema> }
}
/** Operations with the same path may use different names for the path parameter, so the name is ignored. */
const unnamed = (path: string) => path.replace(/\{\w+\}/, '{}')
const documented = new Map(Object.entries(document.paths).map(([path, methods]) => [unnamed(path), methods]))
const documentOf = ({ path, method }: OperationRow) => documented.get(unnamed(path))![method.toLowerCase()]!

export const posts = operationTable.filter(({ method }) => method === 'POST')

/** In the JSON test suite, the first letter of a file name shows whether the content is valid JSON. */
export interface JsonBody {
  file: string
  bytes: Buffer
}

export async function sendBody(app: FastifyInstance, row: OperationRow, { file, bytes }: JsonBody): Promise<string[]> {
  const url = toPath(row, '1')
  const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, payload: bytes })
  // Operations that accept no body ignore this body.
  const isRefused = file.startsWith('n_') && bytes.length > 0 && takesBody(row)
  return (isRefused ? statusCode !== 400 : statusCode >= 500) ? [`${file}: ${statusCode} ${payload}`] : []
}

/**
 * Sends the value in every input of the operation. Returns a description of each response that is a server error or
 * exposes internals.
 */
export async function sendEverywhere(app: FastifyInstance, row: OperationRow, value: string): Promise<string[]> {
  const query = new URLSearchParams(queryOf(row).map((name): [string, string] => [name, value]))
  const body = JSON.stringify(Object.fromEntries(fieldsOf(row).map((name) => [name, value])))
  const url = `${toPath(row, value.slice(0, 200) || 'x')}?${query}`
  const payload = row.method === 'POST' ? { payload: body } : {}
  const reply = await app.inject({ method: row.method, url, headers, ...payload })
  const isReported = /node_modules|\bat .*\.ts:|Error: /.test(reply.payload)
  return reply.statusCode >= 500 || isReported ? [`${value}: ${reply.statusCode} ${reply.payload}`] : []
}

function toPath({ path }: OperationRow, value: string): string {
  return path.replace(/\{\w+\}/, encodeURIComponent(value))
}

/** Operations 3, 23 and 26 do not read a JSON body. */
function takesBody({ operation }: OperationRow): boolean {
  return ![3, 23, 26].includes(operation)
}

/** Returns the query parameters of the operation, and one that the operation does not support. */
function queryOf(row: OperationRow): string[] {
  const known = documentOf(row).parameters.filter((parameter) => parameter.in === 'query')
  return ['unknown', ...known.map(({ name }) => name)]
}

function fieldsOf(row: OperationRow): string[] {
  const schema = documentOf(row).requestBody?.content['application/json']?.schema
  const named = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema
  return ['unknown', ...Object.keys(named?.properties ?? {})]
}
