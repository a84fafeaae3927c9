import { describeAllowed } from '../../src/contract/records/control/choice-values.ts'
import { type Rule, rules } from '../../src/contract/rules.ts'

const HEAD = `# Rules

Every rule of the server, by ID. Look a rule up here when an error cites it. Document 1 is the support API, document 2 is the
event stream and the wallet, and document 3 is the billing API.

- An ID such as \`zip-plus-four\` is a choice of vendor-cloud, because the documents leave something open. Errors cite it as
  \`our choice: zip-plus-four\`.
- An ID such as \`document 1, operation 30\` is a rule of a document or standard, in our own words. Errors cite it as it is.
- An error cites its rules in \`details[].source\`. A response without details has them in the header \`x-vendor-cloud-rule\`.
- A choice with values can be set by a [profile](profiles.md). \`GET /_control/choices\` lists their values in a world.
- An entry without operations is about all operations of its group.

\`npm run docs\` writes this page from \`src/contract/rules.ts\`.`

/** The page of rules, as the contract has them: grouped by document, with each ID as an anchor. */
export function writeRulePage(): string {
  const groups = new Map<string, string[]>()
  for (const [id, rule] of Object.entries<Rule>(rules)) {
    const entries = groups.get(rule.document) ?? [`\n## ${rule.document[0]!.toUpperCase()}${rule.document.slice(1)}`]
    groups.set(rule.document, [...entries, writeEntry(id, rule)])
  }
  return `${[HEAD, ...[...groups.values()].flat()].join('\n')}\n`
}

function writeEntry(id: string, { sentence, operations, schema }: Rule): string {
  const facts = [
    ...(operations.length > 0 ? [`Operations: ${operations.join(', ')}`] : []),
    `Source: ${id.includes(' ') ? id : 'our choice'}`,
    ...(schema
      ? [
          `Values: ${describeAllowed(schema)
            .map((value) => `\`${value}\``)
            .join(', ')}`,
        ]
      : []),
  ]
  return [`\n### ${id}\n`, sentence, '', ...facts.map((fact) => `- ${fact}`)].join('\n')
}
