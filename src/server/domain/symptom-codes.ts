import type { View } from '#server/ports/store.ts'
import type { Symptom } from '#contract/records/guest/symptom.ts'

export type SymptomCodes = readonly (string | undefined)[]

/** Returns codes that are not on their level or not below the preceding code. Levels may be skipped. */
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
