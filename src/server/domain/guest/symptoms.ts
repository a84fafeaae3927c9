import type { Source } from '#contract/rules.ts'
import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import { toLeafFlag } from '#contract/records/formats.ts'
import type { SymptomResponse } from '#contract/records/guest/symptom.ts'
import { notFound } from '../errors.ts'
import type { Filters } from '../paging.ts'
import { findWrongSymptoms, type SymptomCodes } from '../symptom-codes.ts'

const ENGLISH = 'E'
/** Operations 18 and 27. Only the guides of operations 21 and 29 use the fourth level (our choice). */
export const DEEPEST = 3

export interface SymptomQuery extends Filters<'symptomLevel1' | 'symptomLevel2' | 'symptomLevel3'> {
  subType: string
  language: string
}

/** Symptom tree, rules 2 to 4: returns the first level for which the query specifies no symptom. */
export async function lookUpSymptoms({ store }: Ports, query: SymptomQuery): Promise<SymptomResponse> {
  const { subType } = query
  const [first] = await store.symptoms.find({ where: { subType, level: 1 }, limit: 1 })
  if (!first) throw notFound(`the subtype ${subType} has no symptoms`, 'our choice: symptom-levels')
  const codes = [query.symptomLevel1, query.symptomLevel2, query.symptomLevel3]
  await assertSymptoms(store, subType, codes)
  // Our choice: if the requested language is not available, the names are in English.
  const language = Object.hasOwn(first.names, query.language) ? query.language : ENGLISH
  const absent = codes.indexOf(undefined)
  if (absent === -1) return { subType, language, level: DEEPEST, symptoms: [], troubleshootingAvailable: true }

  const symptoms = await store.symptoms.find({
    where: absent === 0 ? { subType, level: 1 } : { parentCode: codes[absent - 1] },
    orderBy: { field: 'displayOrder', direction: 'asc' },
  })
  const shown = symptoms.map(async ({ code, names, level, parentCode }) => ({
    code,
    name: names[language] ?? names[ENGLISH] ?? code,
    level,
    parentCode,
    isLeafFlag: toLeafFlag(level === DEEPEST || (await store.symptoms.count({ parentCode: code })) === 0),
  }))
  return { subType, language, level: absent + 1, symptoms: await Promise.all(shown), troubleshootingAvailable: false }
}

export async function assertSymptoms(
  view: View,
  subType: string,
  codes: SymptomCodes,
  source: Source = 'our choice: symptom-levels',
): Promise<void> {
  const [wrong] = await findWrongSymptoms(view, subType, codes)
  if (!wrong) return
  const { code, level, below } = wrong
  const message = `symptom ${code} does not exist on level ${level}${below} for the subtype ${subType}`
  throw notFound(message, source)
}
