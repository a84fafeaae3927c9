import { expect, test } from 'vitest'
import { choiceSchemas } from '../../../src/contract/records/control/choice-values.ts'
import { choices, type Rule, rules } from '../../../src/contract/rules.ts'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

interface Summary {
  id: string
  value: unknown
  allowed?: unknown[]
}

test('GET /_control/choices lists every choice with its ID, its sentence and its value', async () => {
  const { app } = buildTestApp()
  const { items, totalCount } = (await app.inject('/_control/choices')).json<{ items: Summary[]; totalCount: number }>()
  expect(items.map(({ id }) => id)).toEqual(choices.map(({ id }) => id))
  expect(totalCount).toBe(items.length)
  expect(items.find(({ id }) => id === 'zip-plus-four')).toMatchObject({
    document: 'document 1',
    operations: [30],
    sentence: 'A ZIP code of 5+4 digits returns 400. A profile can accept it (`accepted`).',
    source: 'our choice: zip-plus-four',
    value: 'refused',
    allowed: ['refused', 'accepted'],
  })
})

test.each(choices)('the choice $id has an ID in kebab-case', ({ id }) => {
  expect(id).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/)
})

test.each(Object.entries<Rule>(rules))(
  'the sentence of rule %s has at most 40 words, 25 in each part',
  (_, { sentence }) => {
    expect(sentence).toMatch(/^\S.*[^.]\.$/)
    expect(sentence).not.toMatch(/; /)
    expect(sentence.split(' ').length).toBeLessThanOrEqual(40)
    for (const each of sentence.split(/[.] (?=[A-Z\d`])/)) expect(each.split(' ').length).toBeLessThanOrEqual(25)
  },
)

test('a profile can set exactly the choices that have a schema', () => {
  const settable = choices.filter(({ schema }) => schema).map(({ id }) => id)
  expect(settable.toSorted()).toEqual(Object.keys(choiceSchemas).toSorted())
})

test.each([
  ['guest/zipCode?zipCode=07660-1234', 'zip-plus-four'],
  ['guest/zipCode', 'required-bodies'],
  ['guest/zipCode?zipCode=00000', 'zip-codes'],
  ['guest/symptom?subType=NONE', 'symptom-levels'],
])('the error response to %s cites the choice %s', async (path, id) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: `/stg/us/${path}`, headers: asWeb('web-alice') })
  expect(citedRules(reply)).toEqual([`our choice: ${id}`])
})
