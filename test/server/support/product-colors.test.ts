import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../helpers/open-with-choices.ts'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'
import { newProductModel } from '../../helpers/records.ts'

const colors = [
  { colorCode: 'ORG', name: 'Orange' },
  { colorCode: 'TEA', name: 'Teal' },
]

async function build() {
  const test = buildTestApp()
  await test.store.transaction(async (tx) => {
    await tx.productModels.put(newProductModel({ modelCode: 'VM-RB1', colors }))
    await tx.productModels.put(newProductModel({ modelCode: 'VM-RB2', colors: [] }))
  })
  const ask = (query: string) =>
    test.app.inject({ url: `/stg/us/guest/symptom/changeColor${query}`, headers: asGuest() })
  return { ...test, ask }
}

test('operation 28 returns 200 with the colors of the model, or with an empty list', async () => {
  const { ask } = await build()
  expect((await ask('?modelCode=vm-rb1')).json()).toEqual({ modelCode: 'VM-RB1', colors })
  expect((await ask('?modelCode=VM-RB2')).json()).toEqual({ modelCode: 'VM-RB2', colors: [] })
})

test('operation 28 returns 200 with every model that has colors if modelCode is missing', async () => {
  const { ask } = await build()
  for (const query of ['', '?modelCode=']) {
    const { models } = (await ask(query)).json<{ models: { modelCode: string }[] }>()
    expect(models).toContainEqual({ modelCode: 'VM-RB1', colors })
    expect(models.map(({ modelCode }) => modelCode)).not.toContain('VM-RB2')
    expect(models.length).toBeGreaterThan(20)
  }
})

test('operation 28 returns 404 for an unknown model', async () => {
  const { ask } = await build()
  expect((await ask('?modelCode=VM-NONE')).statusCode).toBe(404)
})

test('operation 28 returns 404 for a malformed model code, or 400 if unusable-values is reject', async () => {
  const { ask, app } = await build()
  expect((await ask('?modelCode=%3Cscript%3E')).statusCode).toBe(404)
  await rejectUnusableValues(app)
  const reply = await ask('?modelCode=%3Cscript%3E')
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply)).toEqual(['InvalidParameter query.modelCode'])
})
