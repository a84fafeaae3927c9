import type { Choice } from '../../src/contract/records/choices/choice.ts'
import { choices } from '../../src/contract/records/choices/choices.ts'
import { describeAllowed } from '../../src/contract/records/choices/allowed.ts'

const HEAD = ['| Silence | Our choice | Id |', '|---|---|---|']

/** The tables of openapi/README.md, by the heading that each stands under. */
export function writeChoiceTables(): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const [id, choice] of Object.entries<Choice>(choices)) {
    const table = tables.get(choice.heading) ?? [...HEAD]
    tables.set(choice.heading, table)
    table.push(
      `| ${choice.silence} | ${choice.choice}${choice.why ? ` (${choice.why})` : ''} | ${writeId(id, choice)} |`,
    )
  }
  return tables
}

/** The page with its tables as the contract has them: the first of each part. */
export function putChoiceTables(page: string): string {
  const lines = page.split('\n')
  for (const [heading, table] of writeChoiceTables()) {
    const part = lines.indexOf(`## ${heading}`)
    const start = lines.findIndex((line, i) => i > part && line.startsWith('|'))
    const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
    if (part < 0 || start < 0) throw new Error(`openapi/README.md has no table under ${heading}`)
    lines.splice(start, length, ...table)
  }
  return lines.join('\n')
}

function writeId(id: string, { value }: Choice): string {
  return value
    ? `\`${id}\`: ${describeAllowed(value)
        .map((each) => `\`${each}\``)
        .join(', ')}`
    : `\`${id}\``
}
