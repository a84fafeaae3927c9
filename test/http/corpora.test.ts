import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { asErin, makeTestApp } from '../helpers/build-test-app.ts'
import { type OperationRow, operationTable } from '../helpers/operation-table.ts'

/**
 * Public bad input, read where it lies beside the project. VENDOR_CLOUD_CORPORA says where and that it must be there:
 * `.ci/run` sets it whenever the folder exists.
 */
const given = process.env['VENDOR_CLOUD_CORPORA']
const corpora = given ?? join(import.meta.dirname, '../../../shared/corpora')
const isThere = given !== undefined || existsSync(corpora)

const textsOf = (folder: string) =>
  readdirSync(join(corpora, folder)).map((file) => ({ file, bytes: readFileSync(join(corpora, folder, file)) }))

const json = isThere ? [...textsOf('json-nst/test_parsing'), ...textsOf('json-nst/test_transform')] : []
const naughty = isThere ? (JSON.parse(readFileSync(join(corpora, 'blns/blns.json'), 'utf8')) as string[]) : []

const headers = { ...asErin(), 'content-type': 'application/json' }
const toPath = ({ path }: OperationRow, value: string) => path.replace(/\{\w+\}/, encodeURIComponent(value))
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
/** The operations of one path name its parameter differently. */
const unnamed = (path: string) => path.replace(/\{\w+\}/, '{}')
const documented = new Map(Object.entries(document.paths).map(([path, methods]) => [unnamed(path), methods]))
const documentOf = ({ path, method }: OperationRow) => documented.get(unnamed(path))![method.toLowerCase()]!

const posts = operationTable.filter(({ method }) => method === 'POST')

describe.runIf(isThere)('public bad input', () => {
  const { app, close } = makeTestApp()
  afterAll(close)

  test('the corpora are what they were', () => {
    expect(json.length).toBeGreaterThan(300)
    expect(naughty.length).toBeGreaterThan(400)
  })

  test.each(posts)('operation $operation takes every JSON test-suite body without a 5xx', async (row) => {
    const wrong: string[] = []
    for (const { file, bytes } of json) {
      const url = toPath(row, '1')
      const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, payload: bytes })
      // Some operations take no body, and then whatever stands there.
      const isRefused = file.startsWith('n_') && bytes.length > 0 && takesBody(row)
      if (isRefused ? statusCode !== 400 : statusCode >= 500) wrong.push(`${file}: ${statusCode} ${payload}`)
    }
    expect(wrong).toEqual([])
  })

  test.each(operationTable)('operation $operation takes every naughty string without a 5xx', async (row) => {
    const wrong: string[] = []
    for (const value of naughty) {
      const query = new URLSearchParams(queryOf(row).map((name): [string, string] => [name, value]))
      const payload =
        row.method === 'POST'
          ? JSON.stringify(Object.fromEntries(fieldsOf(row).map((name) => [name, value])))
          : undefined
      const url = `${toPath(row, value.slice(0, 200) || 'x')}?${query}`
      const reply = await app.inject({ method: row.method, url, headers, ...(payload ? { payload } : {}) })
      const isTold = /node_modules|\bat .*\.ts:|Error: /.test(reply.payload)
      if (reply.statusCode >= 500 || isTold) wrong.push(`${value}: ${reply.statusCode} ${reply.payload}`)
    }
    expect(wrong).toEqual([])
  })
})

/** Operations 3, 23 and 26 read no JSON body. */
function takesBody({ operation }: OperationRow): boolean {
  return ![3, 23, 26].includes(operation)
}

/** The parameters that an operation knows, and one that it does not. */
function queryOf(row: OperationRow): string[] {
  const known = documentOf(row).parameters.filter((parameter) => parameter.in === 'query')
  return ['unknown', ...known.map(({ name }) => name)]
}

function fieldsOf(row: OperationRow): string[] {
  const schema = documentOf(row).requestBody?.content['application/json']?.schema
  const named = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema
  return ['unknown', ...Object.keys(named?.properties ?? {})]
}
