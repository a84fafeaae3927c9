import { expect, test } from 'vitest'
import { choices } from '../../../src/contract/records/choices/choices.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

interface Summary {
  id: string
  value: unknown
  allowed?: unknown[]
}

test('GET /_control/choices lists every choice by its id, with the silence and what we do', async () => {
  const { app } = buildTestApp()
  const { items, totalCount } = (await app.inject('/_control/choices')).json<{ items: Summary[]; totalCount: number }>()
  expect(items.map(({ id }) => id)).toEqual(Object.keys(choices))
  expect(totalCount).toBe(items.length)
  expect(items.find(({ id }) => id === 'zip-plus-four')).toMatchObject({
    document: 'document 1',
    operations: [30],
    silence: '30: 5+4 digits',
    choice: '400',
  })
})

test.each(Object.entries(choices))('the choice %s has an id in kebab-case and says what is open', (id, choice) => {
  expect(id).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/)
  expect([choice.silence, choice.choice, choice.document]).not.toContain('')
})

test.each([
  ['guest/zipCode?zipCode=07660-1234', 'zip-plus-four'],
  ['guest/zipCode', 'required-bodies'],
  ['guest/zipCode?zipCode=00000', 'zip-codes'],
  ['guest/symptom?subType=NONE', 'symptom-levels'],
])('a refusal of %s names the choice %s', async (path, id) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: `/stg/us/${path}`, headers: asWeb('web-alice') })
  expect(reply.body).toContain(`(our choice: ${id})`)
})
