import { describeAllowed } from '../../src/contract/records/control/choice-values.ts'
import { type Rule, rules } from '../../src/contract/rules.ts'

const HEAD = `# Rules

This page lists all rules of the server by ID. Errors cite these IDs in \`details[].source\`, or in the header
\`x-vendor-cloud-rule\` if a response has no details. Document 1 is the support API, document 2 the event stream and the
wallet, and document 3 the billing API.

- An ID without spaces, such as \`zip-plus-four\`, is a choice: the documents do not specify this behavior. Errors
  cite it as \`our choice: zip-plus-four\`.
- An ID such as \`document 1, operation 30\` refers to a rule of a document or standard. This page paraphrases the rule.
- If this page lists values for a choice, a [profile](profiles.md) can set it. The first value of a list is the
  default. \`GET /_control/choices\` returns the values in a world.
- A rule without operations applies to its entire section.

\`npm run docs\` generates this page from \`src/contract/rules.ts\`.`

export function writeRulePage(): string {
  const groups = new Map<string, string[]>()
  for (const [id, rule] of Object.entries<Rule>(rules)) {
    const entries = groups.get(rule.document) ?? [`\n## ${rule.document[0]!.toUpperCase()}${rule.document.slice(1)}`]
    groups.set(rule.document, [...entries, writeEntry(id, rule)])
  }
  return `${[HEAD, ...[...groups.values()].flat()].join('\n')}\n`
}

function writeEntry(id: string, { sentence, operations, schema }: Rule): string {
  const values = schema && describeAllowed(schema).map((value) => `\`${value}\``)
  const facts = [
    ...(operations.length > 0 ? [`Operations: ${operations.join(', ')}.`] : []),
    ...(values ? [`Values: ${values.join(', ')}.`] : []),
  ]
  return [`\n### ${id}\n`, sentence, ...(facts.length > 0 ? [`\n${facts.join(' ')}`] : [])].join('\n')
}
