import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings } from '../src/config.ts'
import { operationTable } from './helpers/operation-table.ts'

const rowsOf = (page: string) =>
  readFileSync(join(import.meta.dirname, '../docs', page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
const operations = rowsOf('operations.md')
const settings = rowsOf('configuration.md')

test.each(operationTable)('the page of operations lists operation $operation', ({ operation, method, path }) => {
  expect(operations.filter((row) => row.startsWith(`| ${operation} | ${method} | \`${path}\` |`))).toHaveLength(1)
})

test.each(describeSettings())(
  'the page of configuration describes $name as the server does: else run `npm run docs`',
  ({ name, meaning, fallback }) => {
    const [, , shown, said] = settings.find((row) => row.startsWith(`| \`${name}\` |`))?.split('|') ?? []
    expect([shown?.replaceAll('`', '').trim(), said?.trim()]).toEqual([fallback, meaning])
  },
)
