import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asErin, buildTestApp } from '../helpers/build-test-app.ts'
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
const posts = operationTable.filter(({ method }) => method === 'POST')

describe.runIf(isThere)('public bad input', () => {
  test('the corpora are what they were', () => {
    expect(json.length).toBeGreaterThan(300)
    expect(naughty.length).toBeGreaterThan(400)
  })

  test.each(posts)('operation $operation takes every JSON test-suite body without a 5xx', async (row) => {
    const { app } = buildTestApp()
    for (const { file, bytes } of json) {
      const { statusCode, payload } = await app.inject({
        method: row.method,
        url: toPath(row, '1'),
        headers,
        payload: bytes,
      })
      expect(statusCode, `${file}: ${payload}`).toBeLessThan(500)
      // Some operations take no body, and then whatever stands there.
      if (file.startsWith('n_') && bytes.length > 0 && takesBody(row)) expect(statusCode, file).toBe(400)
    }
  })

  test.each(operationTable)('operation $operation takes every naughty string without a 5xx', async (row) => {
    const { app } = buildTestApp()
    for (const value of naughty) {
      const query = new URLSearchParams(parameters.map((name): [string, string] => [name, value]))
      const payload =
        row.method === 'POST' ? JSON.stringify(Object.fromEntries(fields.map((name) => [name, value]))) : undefined
      const url = `${toPath(row, value.slice(0, 200) || 'x')}?${query}`
      const reply = await app.inject({ method: row.method, url, headers, ...(payload ? { payload } : {}) })
      expect(reply.statusCode, `${value}: ${reply.payload}`).toBeLessThan(500)
      expect(reply.payload).not.toMatch(/node_modules|\bat .*\.ts:|Error: /)
    }
  })
})

/** Operations 3, 23 and 26 read no JSON body. */
function takesBody({ operation }: OperationRow): boolean {
  return ![3, 23, 26].includes(operation)
}

/** Every parameter and the text fields of every body of document 1: what an operation does not know it ignores. */
const parameters = [
  'reasonId',
  'firstName',
  'lastName',
  'zipCode',
  'phoneNumber',
  'bpNo',
  'companyId',
  'serviceType',
  'modelCode',
  'serialNumber',
  'inWarranty',
  'ascCode',
  'subType',
  'isReschedule',
  'type',
  'sort.field',
  'sort.direction',
  'pagination',
  'pageNo',
  'size',
  'fields',
  'storeId',
  'storeNumber',
  'storePhone',
  'symptomLevel1',
  'symptomLevel2',
  'language',
  'statusList',
  'bpNoList',
  'sorts[0].field',
  'sorts[0].direction',
  'ticketNumber',
  'srId',
  'offset',
  'limit',
  'srid',
  'symCode1',
  'symCode3',
  'prdId',
  'prof_id',
  'originPrdId',
  'email',
  'remoteId',
  'sc4uObjectId',
  'key',
  'start',
  'end',
  'ascType',
  'symptoms',
  'bespoke',
  'upperTaxonomyCode',
  'symptomId',
]
const fields = [
  'firstName',
  'lastName',
  'email',
  'phoneNumber',
  'address1',
  'city',
  'state',
  'zipCode',
  'bpNo',
  'companyId',
  'modelCode',
  'serialNumber',
  'serial',
  'serviceType',
  'symCode1',
  'symCode2',
  'problemDescription',
  'ascCode',
  'appointmentDate',
  'timeSlot',
  'srid',
  'rescheduleReasonCode',
  'receiptFileKey',
  'purchaseDate',
  'rating',
  'comment',
  'ascType',
  'startTime',
  'symptoms',
  'mobilePhone',
  'taxonomyCode',
  'imei',
]
