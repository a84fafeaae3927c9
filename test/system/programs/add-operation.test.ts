import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import type { Coverage } from '../../../src/contract/control/journal.ts'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')

const contract = `    42: {
      route: 'GET /stg/us/guest/state',
      summary: 'Look up the state of a zip code',
      query: z.object({ zipCode: zipCodeToLookUp }),
      reply: zipCodeRecord.pick({ state: true }),
      otherStatuses: [404],
      example: { query: { zipCode: '07660' } },
    },
`
const domainFunction = `
export function lookUpState(ports: Pick<Ports, 'zipCodes'>, zipCode: string): Pick<ZipCodeRecord, 'state'> {
  return { state: lookUpZipCode(ports, zipCode).state }
}
`
const handler = '  42: async ({ ports, query }) => lookUpState(ports, query.zipCode),\n'

test('a new operation needs only a contract, a domain function and one handler line', async () => {
  const copy = makeTemporaryFolder()
  for (const part of ['src', 'scripts', 'openapi', 'docs', 'examples', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  }
  for (const part of ['node_modules', 'fixtures']) symlinkSync(join(ROOT, part), join(copy, part), 'junction')
  const src = join(copy, 'src')
  insertBefore(join(src, 'contract/documents/support/zip-codes.ts'), '  },\n)', contract)
  const handlers = join(src, 'server/support/operations.ts')
  expect(compile(join(src, 'server/app.ts'))).toEqual([
    expect.stringMatching(/support\/operations\.ts.*Property '42' is missing/s),
  ])

  appendFileSync(join(src, 'server/domain/appointments/zip-codes.ts'), domainFunction)
  insertBefore(handlers, '  30:', handler)
  writeFileSync(
    handlers,
    readFileSync(handlers, 'utf8').replace('lookUpWrittenZipCode }', 'lookUpState, lookUpWrittenZipCode }'),
  )
  expect(compile(join(src, 'server/app.ts'))).toEqual([])

  for (const writer of ['openapi', 'docs']) {
    execFileSync(process.execPath, ['--import', 'tsx', `scripts/writers/${writer}.ts`], { cwd: copy })
  }
  expect(readFileSync(join(copy, 'openapi/support.yaml'), 'utf8')).toMatch(
    / {2}\/stg\/us\/guest\/state:\n[\s\S]*?x-operation: 42\n[\s\S]*?example: "07660"[\s\S]*?example:\n +state: NJ\n/,
  )
  expect(readFileSync(join(copy, 'openapi/documents.d.ts'), 'utf8')).toContain('GetGuestStateReply')
  expect(readFileSync(join(copy, 'docs/support-api.md'), 'utf8')).toContain(
    '| 42 | GET | `/stg/us/guest/state` | guest | Look up the state of a zip code |',
  )

  const server = await startProcess({}, { program: ['--import', 'tsx', join(src, 'main.ts')] })
  onTestFinished(async () => void (await server.stop('SIGTERM')))
  const ask = (query: string, headers: Record<string, string> = { 'request-source': 'vendor.com' }) =>
    fetch(`${server.url}/stg/us/guest/state?zipCode=${query}`, { headers })
  const findMissing = async () => {
    const { parts } = (await (await fetch(`${server.url}/_control/coverage`)).json()) as Coverage
    return parts.flatMap(({ missing }) => missing).filter((what) => what.startsWith('operation 42: '))
  }
  const statuses = [200, 400, 401, 403, 404, 500].map((status) => `operation 42: ${status}`)
  expect(await findMissing()).toEqual([...statuses, 'operation 42: query.zipCode'])
  expect(await (await ask('07660')).json()).toEqual({ state: 'NJ' })
  expect((await ask('07660', {})).status).toBe(400)
  expect((await ask('07660', { 'request-source': 'vendor.com', 'vendorus-profId': 'a'.repeat(513) })).status).toBe(401)
  expect((await ask('00000')).status).toBe(404)
  expect(await findMissing()).toEqual(['operation 42: 403', 'operation 42: 500'])
  const other = await fetch(`${server.url}/stg/us/guest/state`, { method: 'DELETE' })
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

function insertBefore(file: string, mark: string, text: string): void {
  const old = readFileSync(file, 'utf8')
  expect(old).toContain(mark)
  writeFileSync(file, old.replace(mark, text + mark))
}

function compile(file: string): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, join(file, '../../..', '..'))
  const program = ts.createProgram([file], { ...options, incremental: false, noEmit: true })
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file: at, messageText }) => `${at?.fileName} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}
