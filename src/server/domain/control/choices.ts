import type { Ports } from '../../ports.ts'
import { type Choice, withoutLinks } from '../../../contract/records/choices/choice.ts'
import { choices } from '../../../contract/records/choices/choices.ts'
import { describeAllowed } from '../../../contract/records/choices/allowed.ts'
import type { ChoiceSummary } from '../../../contract/records/control/choice.ts'

export function listChoices({ world }: Ports): { items: ChoiceSummary[]; totalCount: number } {
  const items = Object.entries<Choice>(choices).map(([id, { heading: _, value, silence, choice, why, ...row }]) => ({
    id,
    ...row,
    silence: withoutLinks(silence),
    choice: withoutLinks(choice),
    ...(why !== undefined && { why: withoutLinks(why) }),
    operations: [...row.operations],
    value: value ? (world.choices[id as keyof typeof world.choices] ?? null) : null,
    ...(value && { allowed: describeAllowed(value) }),
  }))
  return { items, totalCount: items.length }
}
