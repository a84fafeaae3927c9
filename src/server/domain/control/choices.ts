import type { Ports } from '#server/ports.ts'
import type { ChoiceSummary } from '#contract/records/control/choice.ts'
import { type ChoiceValues, describeAllowed } from '#contract/records/control/choice-values.ts'
import { choices } from '#contract/rules.ts'

export function listChoices({ world }: Ports): { items: ChoiceSummary[]; totalCount: number } {
  const items = choices.map(({ schema, operations, ...choice }) => ({
    ...choice,
    operations: [...operations],
    source: `our choice: ${choice.id}`,
    value: schema ? world.choices[choice.id as keyof ChoiceValues] : null,
    ...(schema && { allowed: describeAllowed(schema) }),
  }))
  return { items, totalCount: items.length }
}
