import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { putControlSections } from '../scripts/writers/control-sections.ts'
import { writeOperationRows } from '../scripts/writers/operation-rows.ts'
import { writeRulePage } from '../scripts/writers/rule-page.ts'
import { flagOf } from '../src/cli/serve.ts'
import { describeSettings } from '../src/server/config.ts'

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

/** Adds the names of parameters and fields, and of the fields of each schema that is referenced. */
function collectNames(part: unknown, schemas: Record<string, unknown>, names = new Set<string>()): Set<string> {
  for (const [key, value] of Object.entries(typeof part === 'object' ? { ...part } : {})) {
    if (key === 'example' || key === 'examples') continue
    if (key === 'properties') for (const name of Object.keys(Object(value))) names.add(name)
    if (key === 'name') names.add(String(value))
    if (key !== '$ref') collectNames(value, schemas, names)
    else if (!names.has(String(value))) {
      names.add(String(value))
      collectNames(schemas[String(value).split('/').at(-1)!], schemas, names)
    }
  }
  return names
}

test('the names that differ between operations are those of the OpenAPI description', () => {
  const text = readFileSync(join(import.meta.dirname, '../openapi/support.yaml'), 'utf8')
  const { paths, components } = parse(text) as { paths: Record<string, object>; components: { schemas: object } }
  const found = new Map<number, Set<string>>()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods) as object[])) {
    found.set(Object(operation)['x-operation'], collectNames(operation, { ...components.schemas }))
  }
  const page = readFileSync(join(import.meta.dirname, '../docs/support-api.md'), 'utf8')
  const [, section = ''] = /## Names that differ between operations\n(.*?)\n## /s.exec(page) ?? []
  const groups = [...section.matchAll(/^\| [^|`]+ \|(.+)\|$/gm)].flatMap(([, row]) => [
    ...row!.matchAll(/(`[^(]+)\(([^)]+)\)/g),
  ])
  const missing = groups.flatMap(([, names = '', operations = '']) => {
    const known = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
    const numbers = [...operations.matchAll(/\d+/g)].map(Number)
    return numbers.filter((each) => !known.some((name) => found.get(each)!.has(name))).map((each) => [each, ...known])
  })
  expect(groups.length).toBeGreaterThan(15)
  // OpenAPI treats the paths of operations 12 and 14 as the same, so both parameters are called `customerId`.
  expect(missing).toEqual([[14, 'id']])
  const all = [...found.values()].flatMap((names) => [...names])
  expect(all.filter((name) => /^(?:timeSlots|latitude|hasChildren|fileKey)$/.test(name))).toEqual([])
})
