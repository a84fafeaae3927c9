import { describe, expect, test } from 'vitest'
import type { Symptom, SymptomResponse } from '../../../src/contract/records/guest/symptom.ts'
import { asErin, asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'

/** A separate tree that has two roots. One root has a child and a grandchild. Only the roots have Spanish names. */
const tree: Symptom[] = [
  symptom('KA', null, 2, { E: 'Arms', S: 'Brazos' }),
  symptom('KB', null, 1, { E: 'Buttons', S: 'Botones' }),
  symptom('KA1', 'KA', 1, { E: 'Left arm' }),
  symptom('KA1X', 'KA1', 1, { E: 'Does not wave' }),
]

function symptom(code: string, parentCode: string | null, displayOrder: number, names: Symptom['names']): Symptom {
  return { code, subType: 'ROBOT', level: parentCode ? parentCode.length : 1, parentCode, names, displayOrder }
}

describe.each([
  [18, '/stg/us/dealer/symptom', asErin()],
  [27, '/stg/us/guest/symptom', asGuest()],
] as const)('operation %i', (_, url, headers) => {
  const build = async () => {
    const { app, store } = buildTestApp()
    await store.transaction(async (tx) => {
      for (const each of tree) await tx.symptoms.put(each)
    })
    const ask = (query: Record<string, string>) => app.inject({ url, headers, query })
    const read = async (query: Record<string, string>): Promise<SymptomResponse> => {
      const reply = await ask({ subType: 'ROBOT', ...query })
      expect(reply.statusCode).toBe(200)
      return reply.json()
    }
    return { ask, read }
  }

  test('returns 200 with the symptoms of level 1 if only a subType is given', async () => {
    const { read } = await build()
    expect(await read({})).toEqual({
      subType: 'ROBOT',
      language: 'E',
      level: 1,
      symptoms: [
        { code: 'KB', name: 'Buttons', level: 1, parentCode: null, isLeafFlag: 'Y' },
        { code: 'KA', name: 'Arms', level: 1, parentCode: null, isLeafFlag: 'N' },
      ],
      troubleshootingAvailable: false,
    })
  })

  test('returns 200 with the symptoms below the selected symptom', async () => {
    const { read } = await build()
    const second = await read({ symptomLevel1: 'KA' })
    expect(second).toMatchObject({ level: 2, symptoms: [{ code: 'KA1', parentCode: 'KA', isLeafFlag: 'N' }] })
    const third = await read({ symptomLevel1: 'KA', symptomLevel2: 'KA1' })
    expect(third).toMatchObject({ level: 3, symptoms: [{ code: 'KA1X', isLeafFlag: 'Y' }] })
    const end = await read({ symptomLevel1: 'KA', symptomLevel2: 'KA1', symptomLevel3: 'KA1X' })
    expect(end).toMatchObject({ symptoms: [], troubleshootingAvailable: true })
  })

  test('returns the symptoms of the first level that is not given', async () => {
    const { read } = await build()
    const first = await read({})
    expect(await read({ symptomLevel1: '', symptomLevel2: 'KA1' })).toEqual(first)
    expect(await read({ symptomLevel3: 'KA1X' })).toEqual(first)
    expect(await read({ symptomLevel1: 'KA', symptomLevel3: 'KA1X' })).toEqual(await read({ symptomLevel1: 'KA' }))
  })

  test('returns names in the requested language, or in English if the language is unavailable', async () => {
    const { read } = await build()
    expect(await read({ language: 'S' })).toMatchObject({
      language: 'S',
      symptoms: [{ name: 'Botones' }, { name: 'Brazos' }],
    })
    expect(await read({ language: 'S', symptomLevel1: 'KA' })).toMatchObject({ symptoms: [{ name: 'Left arm' }] })
    for (const language of ['F', 'constructor', '']) {
      expect(await read({ language })).toMatchObject({
        language: 'E',
        symptoms: [{ name: 'Buttons' }, { name: 'Arms' }],
      })
    }
  })

  test('returns 400 without a subType, and cites the rule', async () => {
    const { ask } = await build()
    for (const query of [{}, { subType: '' }, { symptomLevel1: 'KA' }]) {
      const reply = await ask(query as Record<string, string>)
      expect(reply.statusCode).toBe(400)
      expect(findingsOf(reply)).toEqual(['MissingParameter query.subType'])
      expect(reply.json().error.message).toBe('missing subType')
      expect(reply.json().error.details[0].source).toContain('symptom tree, rule 1')
    }
    const other = await ask({ subType: 'ROBOT', language: 'E'.repeat(300) })
    expect([other.statusCode, other.json().error.message.includes('missing subType')]).toEqual([400, false])
  })

  test.each([
    ['an unknown subType', { subType: 'TOASTER' }],
    ['an unknown code', { symptomLevel1: 'KZ' }],
    ['an unknown code of level 2 without a code of level 1', { symptomLevel2: 'KZ1' }],
    ['a code of another subType', { symptomLevel1: 'TV1' }],
    ['a code of another level', { symptomLevel1: 'KA1' }],
    ['a code of another branch', { symptomLevel1: 'KB', symptomLevel2: 'KA1' }],
  ])('returns 404 for %s', async (_, query) => {
    const { ask } = await build()
    expect((await ask({ subType: 'ROBOT', ...query })).statusCode).toBe(404)
  })
})
