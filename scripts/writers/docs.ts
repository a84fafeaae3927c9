import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flagOf } from '../../src/cli/serve.ts'
import { describeSettings } from '../../src/server/config.ts'
import { putControlSections } from './control-sections.ts'
import { writeOperationRows } from './operation-rows.ts'
import { writeRulePage } from './rule-page.ts'
import { writeWorldRows } from './world-rows.ts'

/**
 * Writes the generated parts of the documentation: settings, operations, calls of the control API and of a world, and
 * rules.
 */
const DOCS = join(import.meta.dirname, '../../docs')

const toCode = (text: string) => text && `\`${text}\``
const settings = describeSettings().map(
  ({ name, fallback, meaning }) => `| \`${name}\` | ${toCode(flagOf[name] ?? '')} | ${toCode(fallback)} | ${meaning} |`,
)
putTable('command-line.md', ['| Variable | Option | Default | Meaning |', '|---|---|---|---|', ...settings])
putTable('support-api.md', [
  '| # | Method | Path | For | What it does |',
  '|---|---|---|---|---|',
  ...writeOperationRows(),
])

putTable('test-runners.md', ['| Member of a world | What it does |', '|---|---|', ...(await writeWorldRows())])

writeFileSync(join(DOCS, 'rules.md'), writeRulePage())

const controlApi = join(DOCS, 'control-api.md')
writeFileSync(controlApi, putControlSections(readFileSync(controlApi, 'utf8')))

/** Replaces the table that has the same header. */
function putTable(page: string, lines: readonly string[]): void {
  const file = join(DOCS, page)
  const old = readFileSync(file, 'utf8').split('\n')
  const start = old.indexOf(lines[0]!)
  const length = old.slice(start).findIndex((line) => !line.startsWith('|'))
  writeFileSync(file, old.toSpliced(start, length, ...lines).join('\n'))
}
