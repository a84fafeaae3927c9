import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagOf } from '../src/cli/serve.ts'
import { describeSettings } from '../src/server/config.ts'
import { putControlSections } from '../scripts/writers/control-sections.ts'
import { writeOperationRows } from '../scripts/writers/operation-rows.ts'
import { writeRulePage } from '../scripts/writers/rule-page.ts'

const rowsOf = (page: string) =>
  readFileSync(join(import.meta.dirname, '../docs', page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
const operations = rowsOf('support-api.md').filter((row) => /^\| \d+ \| [A-Z]+ \|/.test(row))
const settings = rowsOf('command-line.md')

test('the page of operations matches the contract (to update the page, run `npm run docs`)', () => {
  expect(operations).toEqual(writeOperationRows())
})

test('the page of rules matches the contract (to update the page, run `npm run docs`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/rules.md'), 'utf8')
  expect(page).toBe(writeRulePage())
})

test('the control API page matches the contract (to update it, run `npm run docs`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/control-api.md'), 'utf8')
  expect(page).toBe(putControlSections(page))
})

test.each(describeSettings())(
  'the command-line page describes $name as the server does (update with `npm run docs`)',
  ({ name, meaning, fallback }) => {
    const [, , option, shown, said] = settings.find((row) => row.startsWith(`| \`${name}\` |`))?.split('|') ?? []
    const bare = [option, shown, said].map((cell) => cell?.replaceAll('`', '').trim())
    expect(bare).toEqual([flagOf[name] ?? '', fallback, meaning.replaceAll('`', '')])
  },
)

test('the tutorial lists every view of the console in the order of the console', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/tools/console/app.tsx'), 'utf8')
  const views = [...source.matchAll(/\{ name: '(\w+)', title: '(\w+)', group:/g)].map(([, name, title]) => [
    title,
    name,
  ])
  const rows = rowsOf('first-hour.md').flatMap((row) => {
    const [, title, name] = /^\| \[(\w+)\]\(\S+_console#\/(\w+)\) \|/.exec(row) ?? []
    return title === undefined ? [] : [[title, name]]
  })
  expect(views.length).toBeGreaterThan(10)
  expect(rows).toEqual(views)
})
