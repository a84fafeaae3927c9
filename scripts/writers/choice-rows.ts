import { describeAllowed } from '../../src/contract/records/control/choice-values.ts'
import { type Rule, rules } from '../../src/contract/rules.ts'

const HEAD = ['| Id | Rule | Operations | Values |', '|---|---|---|---|']

/** The page of rules with its tables as the contract has them: one under the heading of each document. */
export function putRuleTables(page: string): string {
  const lines = page.split('\n')
  for (const [heading, table] of writeRuleTables()) {
    const part = lines.indexOf(`### ${heading}`)
    const start = lines.findIndex((line, i) => i > part && line.startsWith('|'))
    const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
    if (part < 0 || start < 0) throw new Error(`openapi/README.md has no table under ${heading}`)
    lines.splice(start, length, ...table)
  }
  return lines.join('\n')
}

function writeRuleTables(): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const [id, rule] of Object.entries<Rule>(rules)) {
    const heading = headingOf(id, rule)
    const table = tables.get(heading) ?? [...HEAD]
    tables.set(heading, table)
    const values = rule.schema ? describeAllowed(rule.schema).map((value) => `\`${value}\``) : []
    table.push(`| \`${id}\` | ${rule.sentence} | ${rule.operations.join(', ')} | ${values.join(', ')} |`)
  }
  return tables
}

function headingOf(id: string, { document }: Rule): string {
  if (id.startsWith('document ')) return 'Rules of the documents'
  return `${document[0]!.toUpperCase()}${document.slice(1)}`
}
