import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { Symptom, SymptomResponse } from '#contract/records/guest/symptom.ts'
import { notFound } from '../errors.ts'
import type { Filters } from '../paging.ts'

/** Every symptom has a name in English. */
const ENGLISH = 'E'
/** Operations 18 and 27 answer three levels; the fourth stands in the guides of 21 and 29 (our choice). */
export const DEEPEST = 3

export interface SymptomQuery extends Filters<'symptomLevel1' | 'symptomLevel2' | 'symptomLevel3'> {
  subType: string
  language: string
}

export type SymptomCodes = readonly (string | undefined)[]

/** Operations 18 and 27, symptom tree, rules 2 to 4: the lowest level that is not given is the one to choose from. */
export async function lookUpSymptoms({ store }: Ports, query: SymptomQuery): Promise<SymptomResponse> {
  const { subType } = query
  const [first] = await store.symptoms.find({ where: { subType, level: 1 }, limit: 1 })
  if (!first) throw notFound(`there are no symptoms for the subtype ${subType}`, 'our choice: symptom-levels')
  const codes = [query.symptomLevel1, query.symptomLevel2, query.symptomLevel3]
  await assertSymptoms(store, subType, codes)
  // Our choice: a language that we don't have falls back to English.
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
    hasChildren: level < DEEPEST && (await store.symptoms.count({ parentCode: code })) > 0,
  }))
  return { subType, language, level: absent + 1, symptoms: await Promise.all(shown), troubleshootingAvailable: false }
}

export async function assertSymptoms(view: View, subType: string, codes: SymptomCodes): Promise<void> {
  const [wrong] = await findWrongSymptoms(view, subType, codes)
  if (!wrong) return
  const { code, level, below } = wrong
  const message = `there is no symptom ${code} on level ${level}${below} for the subtype ${subType}`
  throw notFound(message, 'our choice: symptom-levels')
}

/**
 * Our choice: a code is wrong that is unknown in its level, or below the one above it that is given. Levels between the
 * two may be left out: each parameter is optional.
 */
export async function findWrongSymptoms(
  { symptoms }: View,
  subType: string,
  codes: SymptomCodes,
): Promise<{ code: string; level: number; below: string }[]> {
  const wrong: { code: string; level: number; below: string }[] = []
  let above: { code: string; level: number } | undefined
  for (const [i, code] of codes.entries()) {
    if (code === undefined) continue
    const level = i + 1
    const symptom = await symptoms.get(code)
    const isBelow = !above || (await findAncestor(symptoms, symptom, level - above.level)) === above.code
    if (symptom?.subType !== subType || symptom.level !== level || !isBelow) {
      wrong.push({ code, level, below: above ? ` below ${above.code}` : '' })
    }
    above = { code, level }
  }
  return wrong
}

async function findAncestor(
  symptoms: View['symptoms'],
  symptom: Symptom | undefined,
  levels: number,
): Promise<string | undefined> {
  const parent = symptom?.parentCode ?? undefined
  if (levels <= 1 || parent === undefined) return parent
  return findAncestor(symptoms, await symptoms.get(parent), levels - 1)
}
