import { describeAllowed } from '../../../src/contract/records/control/choice-values.ts'
import { choices } from '../../../src/contract/rules.ts'

/** Values to try for choices whose values are not limited to a few fixed words. */
const further: Readonly<Record<string, readonly unknown[]>> = {
  'request-source-web': [['shop.example', 'vendor.com']],
  'rate-limit': [{ requests: 100_000, per: 'PT1M' }],
  'page-size': [7],
  'page-max': [50],
  'session-lifetime': ['PT1H'],
  'stream-lifetime': ['PT1H'],
  'subscription-limit': [2],
}

export interface ChoiceValue {
  name: string
  choices: Readonly<Record<string, unknown>>
}

/** For each choice, one entry per value, except for the default value. */
export const choiceValues: readonly ChoiceValue[] = choices.flatMap(({ id, schema }) => {
  if (!schema) return []
  const usual = JSON.stringify(schema.parse(undefined))
  const values = (further[id] ?? describeAllowed(schema)).filter((each) => JSON.stringify(each) !== usual)
  if (!values.every((each) => schema.safeParse(each).success)) throw new Error(`${id} needs values of its own here`)
  return values.map((each) => ({ name: `${id} ${JSON.stringify(each)}`, choices: { [id]: each } }))
})
