import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings } from '../src/config.ts'
import { operationTable } from './helpers/operation-table.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const rows = readme.split('\n').filter((line) => line.startsWith('|'))

test.each(operationTable)('README lists operation $operation', ({ operation, method, path }) => {
  expect(rows.filter((row) => row.startsWith(`| ${operation} | ${method} | \`${path}\` |`))).toHaveLength(1)
})

test.each(describeSettings())('README describes $name as the server does', ({ name, meaning, fallback }) => {
  const [, , shown, said] = rows.find((row) => row.startsWith(`| \`${name}\` |`))?.split('|') ?? []
  expect([shown?.replaceAll('`', '').trim(), said?.trim()]).toEqual([fallback, meaning])
})
